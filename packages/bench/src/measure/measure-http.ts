import { setTimeout as sleep } from "node:timers/promises";
import { startProxy } from "@siteward/testing/proxy";
import { median } from "../../../../scripts/median.ts";
import type { BenchEngine, EngineName } from "../engines/bench-engine.ts";
import type { Options } from "../options.ts";
import { measureInTurn } from "./measure-in-turn.ts";
import { measureLoad, type Served } from "./measure-load.ts";
import { measureRequests } from "./measure-requests.ts";
import { type Scenario, type ScenarioName, scenarios } from "./scenarios.ts";
import { startTarget, type Target, type TargetName, targetNames, targets } from "./targets.ts";

/** One target in one scenario. */
export interface HttpFigure {
  readonly engine: EngineName;
  /** How much longer a round trip to the database took. */
  readonly latencyMs: number;
  readonly scenario: ScenarioName;
  readonly target: TargetName;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the server for each request. */
  readonly cpuMicroseconds: number;
  /** Processor time of the database's own processes for each request. */
  readonly databaseMicroseconds: number;
}

/** Memory of the server. */
interface Memory {
  readonly idleBytes: number;
  readonly afterWriteBytes: number;
}

interface HttpResult {
  readonly figures: readonly HttpFigure[];
  readonly memory: Memory;
}

/** Measures every target on an engine, each with its own copy of the same database. All of them run in turn. */
export async function measureHttp(engine: BenchEngine, options: Options<ScenarioName>): Promise<HttpResult> {
  await using stack = new AsyncDisposableStack();
  const names = targetNames.filter((name) => hasTarget(name, engine));
  const served = new Map<TargetName, Served>();
  for (const name of names) served.set(name, await serve(engine, options, name, stack));
  const memory = await measureMemory(served.get("siteward"));
  const figures: HttpFigure[] = [];
  for (const scenario of options.only) figures.push(...(await measureScenario(engine, served, scenario, options)));
  return { figures, memory };
}

function hasTarget(name: TargetName, { name: engineName }: BenchEngine): boolean {
  const { engines }: Target = targets[name];
  return engines.includes(engineName);
}

async function serve(
  engine: BenchEngine,
  { websites, latencyMs }: Options,
  name: TargetName,
  stack: AsyncDisposableStack,
): Promise<Served> {
  const database = await engine.createDatabase(websites);
  const url = latencyMs === 0 ? database.url : stack.use(await startDistance(database.url, latencyMs)).url;
  return { database, server: stack.use(await startTarget(name, url)) };
}

/** Makes each round trip longer. Answers pass at once: timers round up, and two delays would be rounded up twice. */
function startDistance(databaseUrl: string, latencyMs: number) {
  return startProxy(databaseUrl, () => ({
    sent: async (bytes) => {
      await sleep(latencyMs);
      return bytes;
    },
  }));
}

/** One create is the first write, and loads what writing needs. */
async function measureMemory(served: Served | undefined): Promise<Memory> {
  if (served === undefined) return { idleBytes: 0, afterWriteBytes: 0 };
  const { residentBytes: idleBytes } = served.server.usage();
  const { request } = scenarios.create;
  await measureLoad(served, 0, { create: { request, callers: 1 } });
  return { idleBytes, afterWriteBytes: served.server.usage().residentBytes };
}

async function measureScenario(
  engine: BenchEngine,
  served: ReadonlyMap<TargetName, Served>,
  scenario: ScenarioName,
  options: Options<ScenarioName>,
): Promise<HttpFigure[]> {
  const { request, callers }: Scenario = scenarios[scenario];
  const names = [...served.keys()].filter((name) => request.method !== "GET" || !targets[name].isForWrites);
  const results = await measureInTurn(names, options, async (name, seconds) => {
    const target = served.get(name);
    if (target === undefined) throw new Error(`The target ${name} has not started.`);
    return measureRequests(engine, target, { request, callers, seconds });
  });
  return names.map((target) => {
    const medianOf = (figure: MeasuredName) => median(results[target].map((result) => result[figure]));
    return {
      engine: engine.name,
      latencyMs: options.latencyMs,
      scenario,
      target,
      perSecond: medianOf("perSecond"),
      p50Ms: medianOf("p50Ms"),
      p99Ms: medianOf("p99Ms"),
      cpuMicroseconds: medianOf("cpuMicroseconds"),
      databaseMicroseconds: medianOf("databaseMicroseconds"),
    };
  });
}

type MeasuredName = Exclude<keyof HttpFigure, "engine" | "latencyMs" | "scenario" | "target">;
