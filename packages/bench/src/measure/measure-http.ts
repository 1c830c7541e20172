import { setTimeout as sleep } from "node:timers/promises";
import { startProxy } from "@siteward/testing/proxy";
import { median } from "../../../../scripts/median.ts";
import type { BenchEngine } from "../engines/bench-engine.ts";
import type { Options } from "../options.ts";
import { readUsage } from "../processes/process-usage.ts";
import { measureInTurn } from "./measure-in-turn.ts";
import { type ScenarioName, scenarioNames, scenarios } from "./scenarios.ts";
import { type Served, sendTo, type TargetName, targetNames, targets } from "./targets.ts";

/** One target in one scenario. */
export interface HttpFigure {
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
export async function measureHttp(engine: BenchEngine, options: Options): Promise<HttpResult> {
  await using stack = new AsyncDisposableStack();
  const serve = async (name: TargetName): Promise<Served> => {
    const database = await engine.createDatabase();
    const { latencyMs } = options;
    const url = latencyMs === 0 ? database.url : stack.use(await startDistance(database.url, latencyMs)).url;
    return { database, server: stack.use(await targets[name](url)) };
  };
  const served = { siteward: await serve("siteward"), express: await serve("express") };
  const memory = await measureMemory(served.siteward);
  const figures: HttpFigure[] = [];
  for (const scenario of scenarioNames) figures.push(...(await measureScenario(engine, served, scenario, options)));
  return { figures, memory };
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
async function measureMemory(served: Served): Promise<Memory> {
  const { residentBytes: idleBytes } = readUsage(served.server.processId);
  await sendTo(served, 0, { create: { request: scenarios.create.request, callers: 1 } });
  return { idleBytes, afterWriteBytes: readUsage(served.server.processId).residentBytes };
}

async function measureScenario(
  engine: BenchEngine,
  served: Readonly<Record<TargetName, Served>>,
  scenario: ScenarioName,
  options: Options,
): Promise<HttpFigure[]> {
  const { request, callers } = scenarios[scenario];
  const results = await measureInTurn(targetNames, options, async (name, seconds) => {
    const target = served[name];
    const read = () => [readUsage(target.server.processId).cpuSeconds, engine.cpuSeconds()] as const;
    const [cpu, databaseCpu] = read();
    const { all } = await sendTo(target, seconds, { all: { request, callers } });
    if (all === undefined) throw new Error("The load has one group.");
    const [cpuAfter, databaseCpuAfter] = read();
    return {
      ...all,
      cpuMicroseconds: ((cpuAfter - cpu) * 1e6) / all.answers,
      databaseMicroseconds: ((databaseCpuAfter - databaseCpu) * 1e6) / all.answers,
    };
  });
  return targetNames.map((target) => {
    const medianOf = (figure: MeasuredName) => median(results[target].map((result) => result[figure]));
    return {
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

type MeasuredName = Exclude<keyof HttpFigure, "scenario" | "target">;
