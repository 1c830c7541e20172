import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirstSequencer } from "./scripts/longest-first-sequencer.ts";

const resolve = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Tests that start built programs take seconds on a busy machine. */
const patient = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirstSequencer },
    // Test files share nothing, so one process runs many of them and loads libraries once: 65 files took 102 instead of 149 s of a processor.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
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
          ...patient,
          globalSetup: [resolve("packages/testing/src/engines/prepare-databases.ts")],
          // Tests start programs and threads from their sources. Node keeps what it compiles of them, which halves the time of a start.
          env: { NODE_COMPILE_CACHE: resolve("apps/server/node_modules/.cache/node") },
          // Tests that run at the same time start up to five processes each.
          maxConcurrency: 4,
          // An answer of /readyz may be 500 ms old by design; the default of 1,000 ms leaves a busy machine no room.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        extends: true,
        root: "packages/e2e",
        test: {
          name: "e2e",
          ...patient,
          // `pnpm test:packages` runs those in `packages`.
          include: ["test/**/*.test.ts"],
          globalSetup: [resolve("packages/testing/src/engines/prepare-databases.ts")],
        },
      },
      {
        extends: true,
        root: "packages/attacks",
        test: {
          name: "attacks",
          ...patient,
          // `pnpm test:attacks` runs all of them, and more rounds.
          env: { ROUNDS: "1" },
          include: ["{kill,bytes,races}.test.ts"],
          globalSetup: [resolve("packages/testing/src/engines/prepare-databases.ts")],
        },
      },
      { extends: true, root: "packages/bench", test: { name: "bench", ...patient } },
    ],
  },
});
