import { fileURLToPath } from "node:url";
import { lacksProgram, programs } from "../packages/testing/src/lacks-program.ts";
import { install } from "./install.ts";
import { runStep } from "./run-step.ts";

/** `pnpm test`: runs all checks and tests. CI also runs attacks (`.ci/run`). Arguments choose test files, and then only those run. */
const chosen = process.argv.slice(2);
await install();
if (chosen.length === 0) {
  console.log(
    "Checks and all tests: about 8 minutes on two quiet cores. `pnpm test <part of a path>` runs only such test files.",
  );
  await runStep("Checking types, lint, format, packages and dead code", "pnpm", ["check"]);
} else await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
// The keeper ends what tests started and removes what they wrote, however this process ends. Ctrl-C does not reach it.
const keeper = fileURLToPath(new URL("./keep.ts", import.meta.url));
// Tests mostly wait for other processes, so three files at a time fit on two cores.
const commandLine = ["vitest", "run", "--maxWorkers=3", ...chosen];
await runStep("Testing", process.execPath, [keeper, ...commandLine], {
  detached: true,
  stdio: ["pipe", "inherit", "inherit"],
});
const missing = chosen.length === 0 ? programs.filter((name) => lacksProgram(name)) : [];
if (missing.length > 0)
  console.log(`Some tests were skipped, because these programs are missing: ${missing.join(", ")}`);
