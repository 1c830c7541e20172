/** The engines that tests run on. */
export const engineNames = ["sqlite", "postgres"] as const;
export type EngineName = (typeof engineNames)[number];

/** A row of a table, by column. Integers are numbers, and bytes are a Uint8Array. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** A database of one test, which reads and breaks it without the server. It is deleted with `await using`. */
export interface Database extends AsyncDisposable {
  /** The value for `DATABASE_URL`. */
  readonly url: string;
  readonly engine: EngineName;
  /** The database file, if the engine uses one. */
  readonly file: string | undefined;
  /** Runs SQL without parameters, and returns the rows of one statement. */
  query(sql: string): Promise<StoredRow[]>;
  /** Runs the engine's own checks of its files and indexes, and compares counts. Returns one line for each problem. */
  findDamage(): Promise<string[]>;
}

export interface DatabaseOptions {
  /** Whether it has the tables already, which takes half the time of migrating it. Default: it is empty. */
  readonly isMigrated?: boolean;
  /** Whether to keep the files in memory, if the system has enough of it. For a test that needs no disk. */
  readonly inMemory?: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    /** A database on the PostgreSQL server on which tests create databases of their own. */
    postgresUrl: string;
    /** The name of a migrated database there, which tests copy. */
    postgresTemplate: string;
    /** The path of a migrated database of SQLite, which tests copy. */
    sqliteTemplate: string;
  }
}
