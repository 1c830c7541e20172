import type { Query, QueryBuilder, Returned, WriteConnection } from "../dialects/connection.ts";
import type { OpenDialect, StorageDialect } from "../dialects/dialect.ts";
import type { WebsiteSearchIndex } from "../dialects/website-search-index.ts";
import type { StorageLoad } from "../interface/storage-load.ts";
import type { Reader } from "./connections.ts";

// What the rest of storage needs of an engine, so that it knows only this folder.
export type { Query, QueryBuilder, ReadConnection, WriteConnection } from "../dialects/connection.ts";
export type { DatabaseLocation, SchemaWords, StorageDialect } from "../dialects/dialect.ts";

/** An open database, for the stores, the migrations and the copy. */
export interface Database {
  /** Builds queries. Use `prepare` for queries that run often. */
  readonly build: QueryBuilder;
  /** Reads the primary database, which always shows every acknowledged change. */
  readonly primary: Reader;
  /**
   * Reads a replica that has every change that was acknowledged before the call, or the primary if no replica does.
   * `work` runs again on the primary if the replica fails.
   */
  readUpToDate<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** Changes the primary in one transaction. See `createWrite` for the rules that `work` must follow. */
  write<Result>(work: (transaction: WriteConnection) => Promise<Result>): Promise<Result>;
  /**
   * Changes the primary with one statement, which may be committed together with others of its account. It runs again if another
   * transaction conflicts.
   */
  writeOne<Row>(statement: Query<Row>): Promise<Returned<Row>[]>;
  /** See `OpenDialect`. */
  readonly runBatch: OpenDialect["runBatch"];
  /**
   * Call this after a secret was deleted. Its last copies in the database's files are erased within seconds if the engine
   * can do that. It is not done after each commit: on SQLite, the commits after it took 1.6 times as long, because they make
   * the log longer instead of overwriting it.
   */
  eraseDeletedSoon(): void;
  /** See `OpenDialect`. */
  checkWritable(): Promise<void>;
  /** See `OpenDialect`. */
  readonly hasLeftovers: boolean;
  /** See `OpenDialect`. */
  readonly hasManyWriters: boolean;
  /** See `OpenDialect`. */
  readonly readsTakeTurns: boolean;
  /** See `OpenDialect`. */
  readonly changesInOneStatement: boolean;
  /** See `OpenDialect`. */
  readonly isDistributed: boolean;
  /** For the health check only. */
  readonly probe: Probe;
  readonly dialect: StorageDialect;
  readonly websiteSearch: WebsiteSearchIndex;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** What the connections of this thread do. */
  load(): StorageLoad;
  close(): Promise<void>;
}

/** Reads the primary, never a replica. */
interface Probe extends Reader {
  /** Drops cached data, so that the next read comes from the disk, if the engine can do that. */
  refresh(): Promise<void>;
}
