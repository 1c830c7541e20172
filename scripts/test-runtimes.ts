import { runStep } from "./run-step.ts";

/** `pnpm test:runtimes [file…]`: tests the built packages on runtimes that it installs from the package registry. */
await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
const files = process.argv.slice(2);
await runStep("Testing on other runtimes", "vitest", [
  "run",
  "--root",
  "packages/e2e",
  "--config",
  "vitest.runtimes.config.ts",
  ...files,
]);
