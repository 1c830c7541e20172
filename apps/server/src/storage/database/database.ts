import type { Kysely } from "kysely";
import type { DirectReader, StorageDialect, WebsiteSearchIndex } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";

/** An open database, as the stores use it. */
export interface Database extends Reader {
  /** For `transact` only, which knows how to wait for other writers. */
  readonly write: Kysely<Schema>;
  /**
   * Reads where the answer may come from: a replica that knows everything that was acknowledged before the call, or the
   * database itself. `work` runs again there if a replica fails.
   */
  reading<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** To call after a secret was deleted: its last copies in the database's files are erased within seconds if the engine can. */
  eraseSoon(): void;
  /** For the health check only. */
  readonly probe: Probe;
  readonly dialect: StorageDialect;
  readonly websiteSearch: WebsiteSearchIndex;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  close(): Promise<void>;
}

/** Reads from the first database, never from a replica. */
interface Probe extends Reader {
  /** Forgets what was read before, so that the next read comes from the disk if the engine can do that. */
  refresh(): Promise<void>;
}

/** Reads what is committed. It never waits for a writer. */
export interface Reader {
  readonly read: Kysely<Schema>;
  /** The same for single queries that were prepared, in less time. */
  readonly direct: DirectReader;
}
