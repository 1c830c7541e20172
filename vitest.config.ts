import { defineConfig } from "vitest/config";
import { TestCountReporter } from "./scripts/test-count-reporter.ts";

export default defineConfig({
  test: {
    projects: [
      "packages/contract",
      "packages/protocol",
      "packages/sdk",
      "packages/e2e",
      "packages/torture",
      "packages/bench",
      "apps/server",
      "apps/cli",
    ],
    reporters: ["default", new TestCountReporter()],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
