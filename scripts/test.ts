import { runStep } from "./run-step.ts";

/** `pnpm test`: runs everything that CI runs. Arguments choose test files, and then only those run. */
const chosen = process.argv.slice(2);
if (chosen.length === 0) runStep("Checking types, walls, lint, format, packages and dead code", "pnpm", ["check"]);
else runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
// Tests mostly wait for other processes, so two files at a time fit on two cores.
runStep("Testing", "vitest", ["run", "--maxWorkers=2", ...chosen]);
