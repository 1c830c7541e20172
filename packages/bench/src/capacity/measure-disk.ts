import { slowDisk } from "@siteward/testing/slow-disk";
import { median } from "../../../../scripts/median.ts";
import type { DiskFigure } from "../docs/figures.ts";
import type { BenchEngine } from "../engines/bench-engine.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import { measureLoad } from "../measure/measure-load.ts";
import { scenarios } from "../measure/scenarios.ts";
import { startTarget } from "../measure/targets.ts";
import type { Options } from "../options.ts";

const callers = 64;

/** Measures creates on a disk whose syncs take longer. */
export async function measureDisk(engine: BenchEngine, delayMs: number, options: Options): Promise<DiskFigure> {
  const database = await engine.createDatabase(options.websites);
  await using server = await startTarget("siteward", database.url, { wrapper: slowDisk(delayMs) });
  const { request } = scenarios.create;
  const { create } = await measureInTurn(["create"], options, async (_name, seconds) => {
    const { groups } = await measureLoad({ server, database }, seconds, { all: { request, callers } });
    return groups.all;
  });
  return {
    delayMs,
    createsPerSecond: median(create.map(({ perSecond }) => perSecond)),
    p99Ms: median(create.map(({ p99Ms }) => p99Ms)),
  };
}
