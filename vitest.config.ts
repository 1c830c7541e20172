import { defineConfig } from "vitest/config";
import { LongestFirstSequencer } from "./scripts/longest-first-sequencer.ts";
import { TestCountReporter } from "./scripts/test-count-reporter.ts";
import { TestProgressReporter } from "./scripts/test-progress-reporter.ts";

export default defineConfig({
  test: {
    projects: [
      "packages/contract",
      "packages/service",
      "packages/sdk",
      "packages/e2e",
      "packages/torture",
      "packages/bench",
      "apps/server",
      "apps/cli",
    ],
    reporters: ["default", new TestProgressReporter(), new TestCountReporter()],
    sequence: { sequencer: LongestFirstSequencer },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
