import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  // Files share a process, so that libraries load once.
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], isolate: false, testTimeout: 30_000 },
});

export default config;
