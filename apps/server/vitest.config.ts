import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "server",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/build-program.ts", "test/support/prepare-databases.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests that run at the same time start up to five processes each.
    maxConcurrency: 4,
    // An answer of /readyz may be 500 ms old by design; the default of 1,000 ms leaves a busy machine no room.
    expect: { poll: { timeout: 10_000 } },
  },
});
