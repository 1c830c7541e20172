import type { BenchEngine } from "../engines/bench-engine.ts";
import type { CallerGroup, GroupResult } from "../load/load.ts";
import { measureLoad, type Served } from "./measure-load.ts";

interface RequestLoad extends CallerGroup {
  readonly seconds: number;
}

interface RequestMeasurement extends GroupResult {
  /** Processor time of the server for each answer. */
  readonly cpuMicroseconds: number;
  /** Processor time of the database's own processes for each answer. */
  readonly databaseMicroseconds: number;
}

/** Sends requests of one kind to a server, and measures what each costs the server and the database. */
export async function measureRequests(
  engine: BenchEngine,
  served: Served,
  { seconds, ...group }: RequestLoad,
): Promise<RequestMeasurement> {
  const before = engine.cpuSeconds();
  const { groups, cpuMicroseconds } = await measureLoad(served, seconds, { all: group });
  const databaseMicroseconds = ((engine.cpuSeconds() - before) * 1e6) / groups.all.answers;
  return { ...groups.all, cpuMicroseconds, databaseMicroseconds };
}
