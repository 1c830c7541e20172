import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  // Some tests start the CLI as a process, which can take seconds on a busy machine. Files share a process, so that libraries load once.
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], testTimeout: 30_000, isolate: false },
});

export default config;
