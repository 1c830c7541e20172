import type { Database, DatabaseOptions } from "./engines/database.ts";
import type { EngineName } from "./engines/engine-name.ts";
import type { Random } from "./random.ts";
import type { ServerOptions, TargetServer } from "./servers/target-server.ts";

/** What a row needs on the machine besides Node. */
export type Need = "linux" | "strace" | "permissions";

/** One attack on a promise of the server. */
export interface Row {
  /** The promise that the row tests, in one sentence. */
  readonly promise: string;
  /** The engines on which the row is useful. */
  readonly engines: readonly EngineName[];
  readonly rounds: Rounds;
  readonly needs?: readonly Need[];
  run(attack: Attack): Promise<Outcome>;
}

/** How many rounds a row runs. */
interface Rounds {
  /** What one round is, such as "kills". */
  readonly unit: string;
  /** The number in a full run. */
  readonly default: number;
  /** The number in `pnpm torture --rounds short`, which CI runs. There a row should take 2 to 6 seconds. */
  readonly short: number;
}

/** The tools of a row. Everything that a row starts with them ends with the row. */
export interface Attack {
  readonly engine: EngineName;
  readonly rounds: number;
  /** The same seed gives the same choices. */
  readonly random: Random;
  /**
   * Whether the row must break what it checks. It must then report a violation, and can end at the first one.
   */
  readonly isSabotaged: boolean;
  /** The path of the server's program. */
  readonly serverBin: string;
  /** Creates an empty database that only this row uses. */
  createDatabase(options?: DatabaseOptions): Promise<Database>;
  /** Creates an empty folder that only this row uses. */
  createFolder(): Promise<string>;
  /** Starts the built server on a database, and waits until it listens. */
  start(database: Pick<Database, "url">, options?: ServerOptions): Promise<TargetServer>;
  /** Runs an operator's command on a database, and reads the JSON that it prints. */
  operate(database: Pick<Database, "url">, ...commandLine: string[]): Promise<Record<string, unknown>>;
  /** Creates an account with a key, through the operator's commands. The server does not have to run. */
  createAccount(database: Pick<Database, "url">, options?: AccountOptions): Promise<Account>;
}

export interface AccountOptions {
  readonly websiteLimit?: number;
  /** Comma-separated. Default: all scopes. */
  readonly scopes?: string;
}

export interface Account {
  readonly id: number;
  readonly apiKey: string;
}

/** What a row found. */
export interface Outcome {
  /** In the order in which they are printed, before the violations: a number as `40 kills`, a string as `p99 310 ms`. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** How the promise was broken, one line each. Empty if it held. */
  readonly violations: readonly string[];
}
