import { setTimeout as sleep } from "node:timers/promises";
import { startProxy } from "@siteward/testing/proxy";
import type { BenchEngine } from "../engines/bench-engine.ts";
import { readUsage } from "../processes/process-usage.ts";
import { measureInTurn, median } from "./measure-in-turn.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import { type Served, sendTo, targets } from "./targets.ts";

/** Siteward in one scenario. */
interface HttpFigure {
  readonly title: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the server for each request. */
  readonly cpuMicroseconds: number;
  /** Processor time of the database's own processes for each request. */
  readonly databaseMicroseconds: number;
  /** Requests per second, compared with bare Express 5. */
  readonly ratio: number;
}

interface HttpResult {
  readonly figures: readonly HttpFigure[];
  /** Of the server. */
  readonly idleBytes: number;
  readonly afterWriteBytes: number;
}

/** Measures both targets on an engine, each with its own copy of the same database. */
export async function measureHttp(engine: BenchEngine, latencyMs: number): Promise<HttpResult> {
  await using stack = new AsyncDisposableStack();
  const serve = async (target: keyof typeof targets): Promise<Served> => {
    const database = await engine.createDatabase();
    const url = latencyMs === 0 ? database.url : stack.use(await startDistance(database.url, latencyMs)).url;
    return { database, server: stack.use(await targets[target](url)) };
  };
  const served = [await serve("siteward"), await serve("express")] as const;
  const readMemory = () => readUsage(served[0].server.processId).residentBytes;
  const idleBytes = readMemory();
  // One create is the first write, and loads what writing needs.
  await sendTo(served[0], 0, { create: { request: scenarios.create.request, callers: 1 } });
  const afterWriteBytes = readMemory();
  const figures: HttpFigure[] = [];
  for (const scenario of Object.values(scenarios)) figures.push(await measureScenario(engine, served, scenario));
  return { figures, idleBytes, afterWriteBytes };
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

async function measureScenario(
  engine: BenchEngine,
  served: readonly Served[],
  { title, request, callers }: Scenario,
): Promise<HttpFigure> {
  const [siteward = [], express = []] = await measureInTurn(served, async (target, seconds) => {
    const read = () => [readUsage(target.server.processId).cpuSeconds, engine.cpuSeconds?.() ?? 0] as const;
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
  const medianOf = (figure: keyof (typeof siteward)[number]) => median(siteward.map((result) => result[figure]));
  return {
    title,
    perSecond: medianOf("perSecond"),
    p50Ms: medianOf("p50Ms"),
    p99Ms: medianOf("p99Ms"),
    cpuMicroseconds: medianOf("cpuMicroseconds"),
    databaseMicroseconds: medianOf("databaseMicroseconds"),
    ratio: medianOf("perSecond") / median(express.map(({ perSecond }) => perSecond)),
  };
}
