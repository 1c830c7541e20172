import { defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "e2e",
    // `pnpm test:packages` runs those in `packages`.
    include: ["test/**/*.test.ts"],
    globalSetup: ["../testing/src/engines/prepare-databases.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
