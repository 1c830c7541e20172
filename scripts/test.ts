import { runStep } from "./run-step.ts";

/** `pnpm test`: everything that CI runs. Words after it choose test files; then only those run. */
const chosen = process.argv.slice(2);
if (chosen.length === 0) runStep("Checking types, lint, format, boundaries, packages and dead code", "pnpm", ["check"]);
else runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
// Much of the time of a test goes by in waiting for other processes, so that two files at a time fit on two cores.
runStep("Testing", "vitest", ["run", "--maxWorkers=2", ...chosen]);
