import { median } from "../../../../scripts/median.ts";
import type { CallersFigure } from "../docs/figures.ts";
import type { BenchEngine } from "../engines/bench-engine.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import { measureLoad } from "../measure/measure-load.ts";
import { scenarios } from "../measure/scenarios.ts";
import { startTarget } from "../measure/targets.ts";
import type { Options } from "../options.ts";

const callerCounts = [1, 4, 16, 64, 256] as const;

/** Measures how many requests a server answers while more and more callers send them. */
export async function measureCallers(engine: BenchEngine, options: Options): Promise<CallersFigure[]> {
  const database = await engine.createDatabase(options.websites);
  await using server = await startTarget("siteward", database.url);
  const loads = new Map(
    (["get", "create"] as const).flatMap((scenario) =>
      callerCounts.map((callers) => [`${scenario} ${callers}`, { scenario, callers }] as const),
    ),
  );
  const results = await measureInTurn([...loads.keys()], options, async (name, seconds) => {
    const { scenario, callers } = loads.get(name) ?? { scenario: "get", callers: 1 };
    const { groups } = await measureLoad({ server, database }, seconds, {
      all: { request: scenarios[scenario].request, callers },
    });
    return groups.all;
  });
  return [...loads].map(([name, load]) => ({
    engine: engine.name,
    ...load,
    perSecond: median((results[name] ?? []).map(({ perSecond }) => perSecond)),
    p99Ms: median((results[name] ?? []).map(({ p99Ms }) => p99Ms)),
  }));
}
