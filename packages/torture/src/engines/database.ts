import type { EngineName } from "./engine-name.ts";

/** A row of a table, by column. Integers are numbers, and bytes are a Uint8Array. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** A database that belongs to one row, which reads and breaks it without the server. */
export interface Database extends AsyncDisposable {
  /** The value for `DATABASE_URL`. */
  readonly url: string;
  readonly engine: EngineName;
  /** The database file, if the engine uses one. */
  readonly file: string | undefined;
  /** Runs SQL that means the same on every engine, without parameters. */
  query(sql: string): Promise<StoredRow[]>;
  /** Runs the engine's own checks of its files and indexes, and compares counts. Returns one line for each problem. */
  findDamage(): Promise<string[]>;
}

/** A storage engine that can create databases. */
export interface Engine extends AsyncDisposable {
  createDatabase(options?: DatabaseOptions): Promise<Database>;
}

export interface DatabaseOptions {
  /** Whether to keep the files in memory, if the system offers that. For a row that needs no disk. */
  readonly inMemory?: boolean;
}
