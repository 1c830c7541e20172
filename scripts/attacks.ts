import { install } from "./install.ts";
import { printMissingPrograms, runKept } from "./run-kept.ts";
import { runStep } from "./run-step.ts";

/** `pnpm test:attacks [name…]`: builds, then attacks the built server in all ways, or in those that are named; see docs/reliability.md. */
await install();
await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
await runKept("Attacking", ["--root", "packages/attacks", ...process.argv.slice(2)]);
printMissingPrograms();
