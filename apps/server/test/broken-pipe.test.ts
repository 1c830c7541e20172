import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { runInProcess } from "./support/run-in-process.ts";

describe("a result whose reader has gone away", () => {
  test.each(["keys list", "keys create --account 1 --name CI", "migrate --dry-run"])(
    "ends `%s | true` with exit code 1 and one line instead of a stack",
    async (words) => {
      await using database = await engines.sqlite();
      const environment = { DATABASE_URL: database.databaseUrl };
      await runInProcess(["accounts", "create", "--name", "A", "--email", "a@example.com"], environment);
      const result = await runInPipe(words, environment);
      expect(result).toBe("The result could not be written to standard output: write EPIPE.\nexit code 1\n");
    },
  );

  test("ends without a message if standard error goes to the same reader", async () => {
    await using database = await engines.sqlite();
    expect(await runInPipe("migrate 2>&1", { DATABASE_URL: database.databaseUrl })).toBe("exit code 1\n");
  });
});

/** Runs the program in a shell, whose pipes are real ones, before a reader that ends first. Returns what it reports. */
async function runInPipe(words: string, environment: Record<string, string>): Promise<string> {
  const line = `{ "$NODE" "$PROGRAM" ${words}; echo "exit code $?" >&3; } 3>&2 | true`;
  const env = { ...environment, NODE: process.execPath, PROGRAM: serverBin };
  const child = spawn("/bin/sh", ["-c", line], { env, stdio: ["ignore", "ignore", "pipe"] });
  const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
  return stderr;
}
