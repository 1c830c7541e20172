import type { EngineName } from "../engines/bench-engine.ts";
import type { Figures } from "./figures.ts";

/** An installation to plan for. */
export interface Demand {
  readonly websites: number;
  readonly accounts: number;
  readonly readsPerSecond: number;
  readonly createsPerSecond: number;
}

/** What it needs. */
interface Need {
  readonly diskBytes: Readonly<Record<EngineName, number>>;
  /** Cores of machines that run the server on PostgreSQL. */
  readonly serverCores: number;
  /** Cores of the machine that runs PostgreSQL. */
  readonly databaseCores: number;
}

/** How busy a core may be on average. The rest is for peaks, and for the loss of a machine. */
const maxBusyShare = 0.6;

const secondsPerMicrosecond = 1e-6;

/** Works out from the figures what an installation needs. */
export function plan({ http, sizes }: Figures, demand: Demand): Need {
  const costOf = (scenario: "get" | "create", cost: "cpuMicroseconds" | "databaseMicroseconds") =>
    http.find(
      (figure) =>
        figure.engine === "postgres" &&
        figure.latencyMs === 0 &&
        figure.target === "siteward" &&
        figure.scenario === scenario,
    )?.[cost] ?? Number.NaN;
  const coresOf = (cost: "cpuMicroseconds" | "databaseMicroseconds") =>
    ((demand.readsPerSecond * costOf("get", cost) + demand.createsPerSecond * costOf("create", cost)) *
      secondsPerMicrosecond) /
    maxBusyShare;
  const bytesOf = (engine: EngineName) => {
    const [largest] = sizes
      .filter((size) => size.engine === engine)
      .toSorted((left, right) => right.websites - left.websites);
    return largest === undefined ? Number.NaN : (largest.diskBytes / largest.websites) * demand.websites;
  };
  return {
    diskBytes: { sqlite: bytesOf("sqlite"), postgres: bytesOf("postgres") },
    serverCores: Math.ceil(coresOf("cpuMicroseconds")),
    databaseCores: Math.ceil(coresOf("databaseMicroseconds")),
  };
}
