import { fileURLToPath } from "node:url";
import { install } from "./install.ts";
import { runStep } from "./run-step.ts";

/** `pnpm test:attacks [name…]`: builds, then attacks the built server in all ways, or in those that are named; see docs/reliability.md. */
await install();
await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
// Ends and removes what attacks leave behind, however this process ends.
const keeper = fileURLToPath(new URL("./keep.ts", import.meta.url));
const commandLine = ["vitest", "run", "--root", "packages/attacks", ...process.argv.slice(2)];
await runStep("Attacking", process.execPath, [keeper, ...commandLine], {
  detached: true,
  stdio: ["pipe", "inherit", "inherit"],
});
