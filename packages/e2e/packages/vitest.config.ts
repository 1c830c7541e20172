import { defineConfig } from "vitest/config";

/** `pnpm test:packages`: what is published, installed from a package registry as users do, on other runtimes and in a browser. */
export default defineConfig({
  test: {
    name: "packages",
    globalSetup: ["support/install.ts"],
    // A fresh clone is installed and built in a hook, next to another file.
    testTimeout: 120_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
});
