import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { TestSequencer } from "./scripts/test-sequencer.ts";

const resolve = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  test: {
    sequence: { sequencer: TestSequencer },
    // Test files share nothing, so one process runs many of them and loads libraries once: 65 files took 102 instead of 149 s of a processor.
    isolate: false,
    // What a test waits for comes late on a busy machine. These end only what never comes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 200_000 } },
    // Tests start programs and threads from their sources. Node keeps what it compiles of them, which halves the time of a start.
    env: { NODE_COMPILE_CACHE: resolve("node_modules/.cache/node") },
    // A process runs files of one project. With one for each package, there were more processes, which took 20 s of a processor in all.
    projects: [
      {
        extends: true,
        test: {
          name: "packages",
          include: ["{apps/{cli,edge},packages/{contract,service,sdk,rules,console,start}}/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "server",
          // `pnpm test:packages` runs those in `packages/e2e/packages`.
          include: ["apps/server/**/*.test.ts", "packages/e2e/test/**/*.test.ts"],
          globalSetup: ["packages/testing/src/engines/prepare-databases.ts"],
          // Tests that run at the same time start up to five processes each.
          maxConcurrency: 4,
        },
      },
    ],
  },
});
