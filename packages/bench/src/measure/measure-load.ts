import type { BenchDatabase } from "../engines/bench-engine.ts";
import { type CallerGroup, type GroupResult, sendLoad } from "../load/load.ts";
import type { StartedProcess } from "../processes/started-process.ts";

/** A server with its database. */
export interface Served {
  readonly server: StartedProcess;
  readonly database: BenchDatabase;
}

type Groups = Readonly<Partial<Record<string, CallerGroup>>>;

interface LoadMeasurement<Sent extends Groups> {
  /** Processor time of the server for each answer. 0 if the system does not tell it. */
  readonly cpuMicroseconds: number;
  /** By the names of the groups that were sent. */
  readonly groups: { readonly [Name in keyof Sent]: GroupResult };
}

/** More than one load sends. */
const numbersPerLoad = 1_000_000;
let loads = 0;

/** Sends a load to a server, and measures what it costs. */
export async function measureLoad<Sent extends Groups>(
  { server, database }: Served,
  seconds: number,
  groups: Sent,
): Promise<LoadMeasurement<Sent>> {
  loads += 1;
  const cpuBefore = server.usage().cpuSeconds;
  const result = await sendLoad({
    url: server.url,
    apiKey: database.apiKey,
    seconds,
    websiteCount: database.websiteCount,
    // Websites that are there at the start have smaller numbers.
    firstNumber: 100_000_000 + loads * numbersPerLoad,
    groups,
  });
  const answers = Object.values(result.groups).reduce((sum, group) => sum + group.answers, 0);
  return {
    // The result has a group for each group of the load.
    groups: result.groups as LoadMeasurement<Sent>["groups"],
    cpuMicroseconds: ((server.usage().cpuSeconds - cpuBefore) * 1e6) / answers,
  };
}
