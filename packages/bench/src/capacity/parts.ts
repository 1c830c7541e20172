import { canSlowDisk } from "@siteward/testing/slow-disk";
import type { Figures } from "../docs/figures.ts";
import type { BenchEngine } from "../engines/bench-engine.ts";
import { measureHttp } from "../measure/measure-http.ts";
import { printHttp } from "../measure/print-http.ts";
import { type ScenarioName, scenarioNames } from "../measure/scenarios.ts";
import type { Options } from "../options.ts";
import { measureCallers } from "./measure-callers.ts";
import { measureCommands } from "./measure-commands.ts";
import { measureDisk } from "./measure-disk.ts";
import { measurePromises } from "./measure-promises.ts";
import { measureSize } from "./measure-size.ts";

type Part = (engine: BenchEngine, options: Options) => Promise<Partial<Figures>>;

const websites = 1_000;
const maxForCommands = 10_000;
/** Differences of two figures need more rounds than a figure. */
const roundsOfDifferences = 2;
const distanceMs = 1;
const delaysMs = [0, 1, 2, 5, 10] as const;
/** PostgreSQL takes minutes to load a million; `pnpm bench storage` measures that. */
const sizes = { sqlite: [1_000, 10_000, 100_000, 1_000_000], postgres: [1_000, 10_000, 100_000] } as const;

/**
 * What `pnpm bench capacity` measures on each engine, by the name that `--only` accepts. Databases only grow, so commands, which
 * begin without websites, are first, and sizes last.
 */
export const parts = {
  commands: async (engine, options) => ({
    commands: await measureCommands(engine, { ...options, websites: Math.min(maxForCommands, options.websites) }),
  }),
  promises: async (engine, options) => ({
    promises: await measurePromises(engine, { ...options, websites, rounds: options.rounds * roundsOfDifferences }),
  }),
  callers: async (engine, options) => ({ callers: await measureCallers(engine, { ...options, websites }) }),
  distance: async (engine, options) => {
    if (engine.name === "sqlite") return {};
    const only: readonly ScenarioName[] = scenarioNames;
    const { figures } = await measureHttp(engine, { ...options, only, websites, latencyMs: distanceMs }, printHttp, [
      "siteward",
    ]);
    return { http: figures };
  },
  disks: async (engine, options) => {
    if (engine.name !== "sqlite") return {};
    if (!canSlowDisk()) {
      console.log("\nCreates against the disk: not run: needs strace");
      return {};
    }
    const disks = [];
    for (const delayMs of delaysMs) disks.push(await measureDisk(engine, delayMs, { ...options, websites }));
    return { disks };
  },
  sizes: async (engine, options) => {
    const measured = [];
    for (const size of sizes[engine.name].filter((count) => count <= options.websites)) {
      measured.push(await measureSize(engine, size, options));
    }
    return { sizes: measured };
  },
} as const satisfies Record<string, Part>;

type PartName = keyof typeof parts;

// The type of the result of `keys` does not name them.
export const partNames = Object.keys(parts) as PartName[];
