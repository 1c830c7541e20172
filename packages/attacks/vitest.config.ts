import { defineConfig } from "vitest/config";

/** What `pnpm test:attacks` runs: one attack at a time, as long as its rounds take. `pnpm test` runs some of them. */
export default defineConfig({
  test: {
    name: "attacks",
    globalSetup: ["../testing/src/engines/prepare-databases.ts"],
    fileParallelism: false,
    // Each figure is a line.
    disableConsoleIntercept: true,
    testTimeout: 0,
    hookTimeout: 0,
  },
});
