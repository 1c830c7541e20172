import { runStep } from "./run-step.ts";
import { openTestRun } from "./test-run/open-test-run.ts";

/** `pnpm test`: runs all checks and tests. CI also runs attacks (`.ci/run`). Arguments choose test files, and then only those run. */
const chosen = process.argv.slice(2);
console.log(
  chosen.length === 0
    ? "Checks and all tests: about 8 minutes on two quiet cores. " +
        "`pnpm test <part of a path>` runs only such test files."
    : `The test files whose path contains ${chosen.join(" or ")}, without the checks.`,
);
const ofRun = openTestRun();
if (chosen.length === 0)
  await runStep("Checking types, lint, format, packages and dead code", "pnpm", ["check"], ofRun);
else await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"], ofRun);
// Tests mostly wait for other processes, so three files at a time fit on two cores.
await runStep("Testing", "vitest", ["run", "--maxWorkers=3", ...chosen], ofRun);
