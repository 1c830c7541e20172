import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  // Most tests start the CLI as a separate process, which can take seconds on a busy machine. Files share a process, so that libraries
  // load once: 58 instead of 73 s of a processor.
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], testTimeout: 30_000, isolate: false },
});

export default config;
