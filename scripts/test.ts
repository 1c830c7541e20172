import { install } from "./install.ts";
import { printMissingPrograms, runKept } from "./run-kept.ts";
import { runStep } from "./run-step.ts";

/** `pnpm test`: runs all checks and tests. CI also runs attacks (`.ci/run`). Arguments choose test files, and then only those run. */
const chosen = process.argv.slice(2);
await install();
if (chosen.length === 0) {
  console.log(
    "Checks and all tests: about 4 minutes on two quiet cores. `pnpm test <part of a path>` runs only such test files.",
  );
  await runStep("Checking types, lint, format, packages and dead code", "pnpm", ["check"]);
} else await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
// Tests mostly wait for other processes, so three files at a time fit on two cores.
await runKept("Testing", ["--maxWorkers=3", ...chosen]);
if (chosen.length === 0) printMissingPrograms();
