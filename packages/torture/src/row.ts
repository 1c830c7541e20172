import type { Database } from "./engines/database.ts";
import type { Random } from "./random.ts";
import type { ServerOptions, TargetServer } from "./servers/target-server.ts";

/** The storage engines that a server runs on. */
export const engineNames = ["sqlite", "postgres"] as const;
export type EngineName = (typeof engineNames)[number];

/** What a row needs of the machine beside Node. */
export type Need = "linux" | "strace";

/** One attack on a promise of the service. */
export interface Row {
  /** The promise that it tries, in one plain sentence. */
  readonly promise: string;
  /** The engines on which it means something. */
  readonly engines: readonly EngineName[];
  readonly rounds: Rounds;
  readonly needs?: readonly Need[];
  run(attack: Attack): Promise<Outcome>;
}

/** How often a row tries. */
interface Rounds {
  /** What one round is, such as "kills". */
  readonly unit: string;
  /** The number of a whole run. */
  readonly default: number;
  /** The number in `pnpm test`, which should take 2 to 6 seconds. */
  readonly short: number;
}

/** What a row attacks with. Everything that it starts ends with it. */
export interface Attack {
  readonly engine: EngineName;
  readonly rounds: number;
  /** The same seed gives the same choices. */
  readonly random: Random;
  /**
   * Break what the row watches, on the side of the row: it must then report a violation. A sabotaged run may end at its
   * first one.
   */
  readonly isSabotaged: boolean;
  /** Where the server's program lies. */
  readonly serverBin: string;
  /** Creates an empty database of the row's own. */
  createDatabase(): Promise<Database>;
  /** Starts the built server on a database, and waits until it listens. */
  start(database: Pick<Database, "url">, options?: ServerOptions): Promise<TargetServer>;
  /** Runs an operator's command on a database, and reads the JSON that it prints. */
  operate(database: Pick<Database, "url">, ...commandLine: string[]): Promise<Record<string, unknown>>;
  /** Creates an account with a key, through the operator's commands. The server need not run. */
  createAccount(database: Pick<Database, "url">, options?: AccountOptions): Promise<Account>;
}

export interface AccountOptions {
  readonly websiteLimit?: number;
  /** Comma-separated; all without it. */
  readonly scopes?: string;
}

export interface Account {
  readonly id: number;
  readonly apiKey: string;
}

/** What a row found. */
export interface Outcome {
  /** In the order they are printed: a number as `40 kills`, a string as `restart p99 310 ms`. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** Each says how the promise was broken. Empty: it held. */
  readonly violations: readonly string[];
}
