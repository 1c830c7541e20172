import { install } from "./install.ts";
import { printMissingPrograms, runKept } from "./run-kept.ts";
import { runStep } from "./run-step.ts";

/** `pnpm test`: runs all checks and tests. CI also runs attacks (`.ci/run`). Arguments choose test files, and then only those run. */
const chosen = process.argv.slice(2);
const isAll = chosen.length === 0;
await install();
if (isAll) {
  console.log(
    "Checks and all tests: about 3 minutes on two quiet cores. `pnpm test <part of a path>` runs only such test files.",
  );
}
// A build leaves a core idle for half of its time, and dead code is found in as long.
const [first, more] = isAll ? ["Building, and looking for dead code", ["//#check:dead-code"]] : ["Building", []];
await runStep(first, "turbo", ["run", "build", "--output-logs=errors-only", ...more]);
// Tests mostly wait for other processes, so four files at a time fit on two cores, also beside the checks.
const testing = runKept("Testing", ["--maxWorkers=4", ...chosen]);
// What it finds ends the tests, too.
const second = "Checking types, lint, format and packages";
if (isAll) await runStep(second, "pnpm", ["--loglevel=error", "check"], { until: testing });
await testing;
if (isAll) printMissingPrograms();
