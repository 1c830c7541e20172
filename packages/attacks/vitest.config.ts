import { defineConfig } from "vitest/config";

/** What `pnpm test:attacks` runs: one attack at a time, as long as its rounds take, and what benchmarks compare the server with. */
export default defineConfig({
  test: {
    name: "attacks",
    include: ["*.test.ts", "../bench/test/*.test.ts"],
    globalSetup: ["../testing/src/engines/prepare-databases.ts"],
    fileParallelism: false,
    // Each figure is a line.
    disableConsoleIntercept: true,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 0,
    hookTimeout: 0,
  },
});
