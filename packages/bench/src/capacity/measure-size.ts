import { median } from "../../../../scripts/median.ts";
import type { SizeFigure } from "../docs/figures.ts";
import type { BenchEngine } from "../engines/bench-engine.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import { measureLoad } from "../measure/measure-load.ts";
import { scenarios } from "../measure/scenarios.ts";
import { startTarget } from "../measure/targets.ts";
import type { Options } from "../options.ts";

const loads = {
  get: { request: scenarios.get.request, callers: 1 },
  list: { request: scenarios.list.request, callers: 1 },
  search: { request: scenarios.search.request, callers: 1 },
  createOne: { request: scenarios.create.request, callers: 1 },
  create: { request: scenarios.create.request, callers: 16 },
} as const;

/** Measures every operation on a database with this number of websites, right after they were loaded in bulk. */
export async function measureSize(engine: BenchEngine, websites: number, options: Options): Promise<SizeFigure> {
  const database = await engine.createDatabase(websites);
  const diskBytes = await database.diskBytes();
  await using server = await startTarget("siteward", database.url);
  // The type of the result of `keys` does not name them.
  const names = Object.keys(loads) as Array<keyof typeof loads>;
  const results = await measureInTurn(names, options, async (name, seconds) => {
    const { groups } = await measureLoad({ server, database }, seconds, { all: loads[name] });
    return groups.all;
  });
  const medianMs = (name: keyof typeof loads) => median(results[name].map(({ p50Ms }) => p50Ms));
  return {
    engine: engine.name,
    websites,
    diskBytes,
    residentBytes: server.usage().residentBytes,
    getMs: medianMs("get"),
    listMs: medianMs("list"),
    searchMs: medianMs("search"),
    createMs: medianMs("createOne"),
    createsPerSecond: median(results.create.map(({ perSecond }) => perSecond)),
  };
}
