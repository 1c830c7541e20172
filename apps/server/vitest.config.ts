import { fileURLToPath } from "node:url";
import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "server",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["../../packages/testing/src/engines/prepare-databases.ts"],
    // Tests start programs and threads from their sources. Node keeps what it compiles of them, which halves the time of a start.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/node", import.meta.url)) },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Tests that run at the same time start up to five processes each.
    maxConcurrency: 4,
    // An answer of /readyz may be 500 ms old by design; the default of 1,000 ms leaves a busy machine no room.
    expect: { poll: { timeout: 10_000 } },
  },
});
