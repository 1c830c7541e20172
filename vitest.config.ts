import { defineConfig } from "vitest/config";
import { LongestFirstSequencer } from "./scripts/longest-first-sequencer.ts";

export default defineConfig({
  test: {
    projects: [
      // Their tests share nothing, so one process runs many files: the libraries load once.
      { extends: true, root: "packages/contract", test: { name: "contract", isolate: false } },
      { extends: true, root: "packages/service", test: { name: "service", isolate: false } },
      "packages/sdk",
      "packages/rules",
      "packages/e2e",
      "packages/torture",
      "packages/bench",
      "apps/server",
      "apps/cli",
    ],
    sequence: { sequencer: LongestFirstSequencer },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
