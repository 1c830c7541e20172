import { expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { runProgram } from "./support/run-program.ts";

/** Loaded before the program. Each worker says which it is, and fails. */
const failInWorkers =
  "const { SITEWARD_WORKER_SLOT: slot } = process.env;" +
  "if (slot !== undefined) { process.stderr.write('worker ' + slot + ' fails\\n'); process.exit(7); }";

test("a first worker that fails to start ends the server with its exit code, and no other is started", async () => {
  await using database = await engines.sqlite({ isMigrated: true });
  const result = await runProgram(["start", "--port", "0", "--workers", "3"], {
    DATABASE_URL: database.databaseUrl,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(failInWorkers)}`,
  });
  expect(result).toEqual({ exitCode: 7, stdout: "", stderr: "worker 1 fails\n" });
});
