import type { Kysely } from "kysely";
import type { DirectReader, StorageDialect } from "./dialects/dialect.ts";
import type { Schema } from "./schema.ts";

/** An open database, as the stores use it. */
export interface Database {
  /** Reads what is committed. It never waits for a writer. */
  readonly read: Kysely<Schema>;
  /** The same for single queries that were prepared, in less time. */
  readonly direct: DirectReader;
  /** For `transact` only, which knows how to wait for other writers. */
  readonly write: Kysely<Schema>;
  readonly dialect: StorageDialect;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  close(): Promise<void>;
}
