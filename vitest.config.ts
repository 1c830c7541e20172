import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirstSequencer } from "./scripts/longest-first-sequencer.ts";

const resolve = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirstSequencer },
    // Test files share nothing, so one process runs many of them and loads libraries once: 65 files took 102 instead of 149 s of a processor.
    isolate: false,
    // What a test waits for comes late on a busy machine. These end only what never comes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 200_000 } },
    projects: [
      { extends: true, root: "packages/contract", test: { name: "contract" } },
      { extends: true, root: "packages/service", test: { name: "service" } },
      { extends: true, root: "packages/sdk", test: { name: "sdk" } },
      { extends: true, root: "packages/rules", test: { name: "rules" } },
      { extends: true, root: "packages/console", test: { name: "console" } },
      { extends: true, root: "packages/start", test: { name: "start" } },
      { extends: true, root: "apps/cli", test: { name: "cli" } },
      {
        extends: true,
        root: "apps/server",
        test: {
          name: "server",
          globalSetup: [resolve("packages/testing/src/engines/prepare-databases.ts")],
          // Tests start programs and threads from their sources. Node keeps what it compiles of them, which halves the time of a start.
          env: { NODE_COMPILE_CACHE: resolve("apps/server/node_modules/.cache/node") },
          // Tests that run at the same time start up to five processes each.
          maxConcurrency: 4,
        },
      },
      {
        extends: true,
        root: "packages/e2e",
        test: {
          name: "e2e",
          // `pnpm test:packages` runs those in `packages`.
          include: ["test/**/*.test.ts"],
          globalSetup: [resolve("packages/testing/src/engines/prepare-databases.ts")],
        },
      },
    ],
  },
});
