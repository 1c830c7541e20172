import type { CommandName } from "../capacity/commands.ts";
import type { ChangeName, PromiseName } from "../capacity/promises.ts";
import type { EngineName } from "../engines/bench-engine.ts";
import type { ScenarioName } from "../measure/scenarios.ts";
import type { TargetName } from "../measure/targets.ts";

/** All figures of docs/capacity.md. Each benchmark writes its own. */
export interface Figures {
  readonly machine: MachineFigures;
  readonly http: readonly HttpFigure[];
  readonly memory: MemoryFigures;
  readonly mixed: readonly MixedFigure[];
  readonly callers: readonly CallersFigure[];
  readonly sizes: readonly SizeFigure[];
  readonly disks: readonly DiskFigure[];
  readonly promises: readonly PromiseFigure[];
  readonly commands: readonly CommandFigure[];
}

export interface MachineFigures {
  readonly cores: number;
  readonly processor: string;
  readonly node: string;
  /** Time to sync 4 KiB that were appended to a file. */
  readonly syncMs: number;
}

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
  /** Processor time of the load generator for each request. */
  readonly generatorMicroseconds: number;
}

/** Memory of the server on SQLite. */
export interface MemoryFigures {
  readonly idleBytes: number;
  readonly afterWriteBytes: number;
}

/** One load on one server. A figure is null if the load had no such callers. */
export interface MixedFigure {
  readonly setup: string;
  readonly load: string;
  readonly readsPerSecond: number | null;
  readonly readP50Ms: number | null;
  readonly readP99Ms: number | null;
  readonly writesPerSecond: number | null;
  readonly writeP99Ms: number | null;
}

/** One number of callers. */
export interface CallersFigure {
  readonly engine: EngineName;
  readonly scenario: "get" | "create";
  readonly callers: number;
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** One number of websites in the database. */
export interface SizeFigure {
  readonly engine: EngineName;
  readonly websites: number;
  readonly diskBytes: number;
  /** Memory of the server at the end. */
  readonly residentBytes: number;
  /** The median time with one caller. */
  readonly getMs: number;
  readonly listMs: number;
  readonly searchMs: number;
  readonly createMs: number;
  /** Creates per second with 16 callers. */
  readonly createsPerSecond: number;
}

/** One time that each sync takes longer. */
export interface DiskFigure {
  readonly delayMs: number;
  readonly createsPerSecond: number;
  readonly p99Ms: number;
}

/** One change on a server with one promise. */
export interface PromiseFigure {
  readonly engine: EngineName;
  readonly change: ChangeName;
  readonly promise: PromiseName;
  readonly server: CostFigure;
  readonly database: CostFigure;
}

/** Processor time for each request, in microseconds. */
export interface CostFigure {
  readonly total: number;
  /** How much more it is than without promises: the median of the rounds, each with both in turn. */
  readonly added: number;
}

/** One command of the CLI. */
export interface CommandFigure extends CommandCosts {
  readonly engine: EngineName;
  readonly command: CommandName;
  /** How many websites it imports, exports or compares. */
  readonly websites: number;
}

/** How long a command takes, and the processor time of each process. */
export interface CommandCosts {
  readonly seconds: number;
  readonly cliSeconds: number;
  readonly serverSeconds: number;
  readonly databaseSeconds: number;
}
