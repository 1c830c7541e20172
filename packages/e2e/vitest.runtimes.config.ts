import { defineConfig } from "vitest/config";

/** `pnpm test:runtimes`: the tests that install other runtimes from the package registry. */
export default defineConfig({
  test: { name: "runtimes", include: ["test/runtimes/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 300_000 },
});
