import type { WriteConnection } from "../dialects/connection.ts";
import type { StorageDialect, WebsiteSearchIndex } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";
import type { Reader } from "./connections.ts";
import type { LockedTables } from "./lock-tables.ts";
import type { QueryBuilder } from "./query-builder.ts";

/** An open database, as the stores, the migrations and the copy use it. */
export interface Database {
  /** Builds queries; see `prepare` for those that run often. */
  readonly build: QueryBuilder;
  /** Reads the first database, where every change that was acknowledged is visible. */
  readonly primary: Reader;
  /**
   * Reads a replica that has every change that was acknowledged before the call, or the first database if there is none.
   * `work` runs again on the first database if the replica fails.
   */
  readUpToDate<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** Changes the first database in one transaction; see `createWrite` for the rules that `work` follows. */
  write<Result>(work: (transaction: WriteConnection) => Promise<Result>): Promise<Result>;
  /** Blocks every change of these tables until the lock is released. Reads continue. */
  lockTables(tables: readonly (keyof Schema)[]): Promise<LockedTables>;
  /** Call it after a secret was deleted: its last copies in the database's files are erased within seconds if the engine can. */
  eraseDeletedSoon(): void;
  /** For the health check only. */
  readonly probe: Probe;
  readonly dialect: StorageDialect;
  readonly websiteSearch: WebsiteSearchIndex;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  close(): Promise<void>;
}

/** Reads the first database, never a replica. */
interface Probe extends Reader {
  /** Drops what was read before from memory, so that the next read comes from the disk if the engine can do that. */
  refresh(): Promise<void>;
}
