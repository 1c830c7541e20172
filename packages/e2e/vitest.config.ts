import { configDefaults, defineProject } from "vitest/config";

export default defineProject({
  test: {
    name: "e2e",
    // `pnpm test:runtimes` runs these.
    exclude: [...configDefaults.exclude, "test/runtimes/**"],
    globalSetup: ["../testing/src/engines/prepare-databases.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
