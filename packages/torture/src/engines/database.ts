import type { EngineName } from "../row.ts";

/** A row of a table, by column. Whole numbers are numbers, and bytes a Uint8Array. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** A database of one row's own, which it reads and breaks behind the server's back. */
export interface Database extends AsyncDisposable {
  /** As `DATABASE_URL` takes it. */
  readonly url: string;
  readonly engine: EngineName;
  /** The file, where the engine keeps the database in one. */
  readonly file: string | undefined;
  /** Runs SQL that means the same on every engine, without parameters. */
  query(sql: string): Promise<StoredRow[]>;
  /** The engine's own checks of its files and indexes, and of counts that must agree; one line for each damage. */
  findDamage(): Promise<string[]>;
}

/** A storage engine on which databases can be made. */
export interface Engine extends AsyncDisposable {
  createDatabase(): Promise<Database>;
}
