import { defineConfig } from "vitest/config";
import { LongestFirstSequencer } from "./scripts/longest-first-sequencer.ts";
import { TestCountReporter } from "./scripts/test-count-reporter.ts";
import { TestProgressReporter } from "./scripts/test-progress-reporter.ts";

export default defineConfig({
  test: {
    projects: [
      // Their tests share nothing, so one process runs many files: the libraries load once.
      { extends: true, root: "packages/contract", test: { name: "contract", isolate: false } },
      { extends: true, root: "packages/service", test: { name: "service", isolate: false } },
      "packages/sdk",
      "packages/rules",
      "packages/e2e",
      {
        extends: true,
        root: "packages/attacks",
        test: {
          name: "attacks",
          // `pnpm test:attacks` runs all of them.
          include: ["{kill,bytes,races}.test.ts"],
          globalSetup: ["../testing/src/engines/prepare-databases.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
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
