import { runStep } from "./run-step.ts";

/** `pnpm torture [row…] [--option…]`: builds, then attacks the built server; see docs/reliability.md. */
await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
process.argv.splice(1, 1, new URL("../packages/torture/src/main.ts", import.meta.url).pathname);
// The rows run in this process, so that they get signals themselves.
await import(new URL("../packages/torture/src/main.ts", import.meta.url).href);
