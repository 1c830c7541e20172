import { defineConfig } from "vitest/config";
import { TestCountReporter } from "./scripts/test-count-reporter.ts";

export default defineConfig({
  test: {
    projects: ["packages/contract", "packages/sdk", "packages/e2e", "apps/server", "apps/cli"],
    reporters: ["default", new TestCountReporter()],
    // Much of the time of a test goes by in waiting for other processes.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
