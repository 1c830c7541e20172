import { defineConfig } from "vitest/config";

/**
 * What `pnpm test:attacks` runs, as long as it takes and one at a time: the attacks, tests that are attacks with more of the same, and
 * what benchmarks compare the server with.
 */
export default defineConfig({
  test: {
    name: "attacks",
    include: [
      ...["*.test.ts", "../bench/test/*.test.ts", "../e2e/test/sequences.test.ts"],
      "../../apps/cli/test/hostile-files.test.ts",
    ],
    env: { TEST_SITEWARD_ATTACK: "1" },
    globalSetup: ["../testing/src/engines/prepare-databases.ts"],
    fileParallelism: false,
    // Each figure is a line.
    disableConsoleIntercept: true,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 0,
    hookTimeout: 0,
  },
});
