import type { CompiledQuery, Dialect, RawBuilder } from "kysely";
import type { DatabaseInspection } from "../interface/inspection.ts";
import type { StorageLoad } from "../interface/storage-load.ts";
import type { Schema } from "../tables/schema.ts";
import type { Table } from "../tables/table.ts";
import type { Connection, ReadConnection, WriteConnection } from "./connection.ts";
import type { WebsiteSearchIndex } from "./website-search-index.ts";

/**
 * What the rest of storage needs from a database engine. Only the folder of an engine knows which engine it is.
 *
 * The drivers of a dialect throw `AppError` if the database cannot answer or store a change now.
 */
export interface StorageDialect {
  /** Whether the thread that writes waits for the disk, as it does with an engine that runs in the process. */
  readonly blocksWhileWriting: boolean;
  /** Whether opening a database that does not exist creates it. */
  readonly createsDatabases: boolean;
  /** The parts of Kysely that write SQL for the engine. */
  readonly syntax: Omit<Dialect, "createDriver">;
  /** @throws InstallationError that says what is wrong with the URLs or the database, which is then not changed */
  open(options: DialectOptions): Promise<OpenDialect>;
  /**
   * Prepares to look at a database without changing anything, also one that `open` would refuse. Opens nothing yet.
   *
   * @throws InstallationError `invalid_url`
   */
  inspect(location: DatabaseLocation): Promise<DialectInspection>;
  /** Whether a transaction failed only because of other transactions, so that a retry may succeed. */
  isRetryable(error: unknown): boolean;
  /** Whether a statement failed because the user of the URL may not run it. */
  isNotPermitted(error: unknown): boolean;
  /** Runs a statement that creates a table if it does not exist, also while other processes create the same table. */
  createWithOthers(transaction: WriteConnection, create: () => Promise<void>): Promise<void>;
  /** Runs statements that the engine may not support. Then nothing of them is kept. */
  ifSupported(transaction: WriteConnection, create: () => Promise<void>): Promise<void>;
  /**
   * Blocks migrations by all other processes until the transaction ends. The table of versions must exist. The transaction then
   * waits only briefly for the locks of others, because all requests wait behind it. See `isLockTimeout`.
   *
   * @throws InstallationError `not_coordinator` if the server can change no tables
   */
  lockMigrations(transaction: WriteConnection): Promise<void>;
  /** Whether a migration failed only because others use its tables. */
  isLockTimeout(error: unknown): boolean;
  /** Says who uses the tables of a migration that had to wait, if anybody still does. */
  findLockHolder(connection: ReadConnection): Promise<string | undefined>;
  /**
   * Returns the tables that the nodes of a distributed database must share and do not yet. None on other databases.
   *
   * @throws InstallationError `not_coordinator` if there are any, and the node cannot distribute them
   */
  findUndistributed(connection: ReadConnection): Promise<readonly Table[]>;
  /**
   * Says why the nodes of a database that could be distributed do not share the tables of a migrated one, and what to do about it.
   * Undefined if they do, and on other databases.
   */
  explainUndistributed(connection: ReadConnection): Promise<string | undefined>;
  /** Returns the statements that distribute tables over the nodes. */
  distribution(tables: readonly Table[]): readonly string[];
  /**
   * Blocks every change of these tables until the transaction ends, however long it takes, on a server that refuses no connections.
   * Reads continue. Returns a function that checks again who is connected.
   *
   * @throws InstallationError `source_in_use` if another program of Siteward is, or `source_not_checkable` if the server does not tell.
   *   The returned function throws it too.
   */
  lockUnused(transaction: WriteConnection, tables: readonly (keyof Schema)[]): Promise<() => Promise<void>>;
  /** Returns the names of all tables of Siteward that exist, and perhaps of others. */
  findTables(connection: ReadConnection): Promise<ReadonlySet<string>>;
  /** The end of a query for rows that the transaction will change. Other transactions that want to change them wait. */
  readonly forUpdate: RawBuilder<unknown>;
  readonly words: SchemaWords;
}

/** Where a database is. */
export interface DatabaseLocation {
  readonly databaseUrl: string;
  /** The name of the URL in messages, such as the setting that contains it. */
  readonly setting: string;
}

export interface DialectOptions extends DatabaseLocation {
  /** Read replicas of the database. */
  readonly replicas: readonly DatabaseLocation[];
  /** How this process calls itself to a server, beginning with `siteward`. By default, as the URL says. */
  readonly programName?: string | undefined;
  /** Whether statements have no timeout. Otherwise a statement may take as long as a request may wait. */
  readonly allowsLongStatements: boolean;
  /** Whether a database that does not exist or has no tables of Siteward is refused instead of created. */
  readonly mustExist: boolean;
  /**
   * Whether a database is refused that accepts no changes, with an InstallationError `read_only` that says what refuses them, and what
   * to do. One that another process writes to is not refused.
   */
  readonly mustBeWritable: boolean;
  /** Whether nothing else runs on the thread, so that an embedded engine may block it for a while. */
  readonly hasOwnThread: boolean;
}

/** How an engine looks at a database without changing it. */
export interface DialectInspection
  extends Pick<
    DatabaseInspection,
    "name" | "isFile" | "requireSafeEngine" | "requireWritable" | "measureWriteMs" | "readFiles" | "readFreeBytes"
  > {
  /**
   * Runs `work` with a driver that cannot change the database. Runs it again if another process may have changed the files meanwhile
   * without the locks that protect a reader.
   *
   * @throws InstallationError that says why the database cannot be read
   */
  read<Result>(work: (driver: ReadDriver) => Promise<Result>): Promise<Result>;
  /** Returns the time of the server's clock, in milliseconds since 1970. Undefined if the database has no clock of its own. */
  readClock(driver: ReadDriver): Promise<number | undefined>;
  /** @see Replication */
  primaryPosition(driver: ReadDriver): Promise<LogPosition>;
  /** @throws InstallationError `invalid_url` */
  openReplicas(locations: readonly DatabaseLocation[]): Promise<readonly InspectedReplica[]>;
  close(): Promise<void>;
}

interface InspectedReplica extends OpenReplica {
  /** Its database and its address, for messages. */
  readonly name: string;
}

/** An open database: drivers for reads, which never wait for writers, and one for write transactions. */
export interface OpenDialect {
  readonly read: ReadDriver;
  readonly write: Transact;
  /** Runs changes in one transaction. Undefined if the engine needs no thread to write. */
  readonly runBatch:
    | ((changes: readonly (() => Promise<unknown>)[]) => Promise<PromiseSettledResult<unknown>[]>)
    | undefined;
  /** Undefined if the engine gains nothing by running a statement without a transaction around it. */
  readonly singleWriter: SingleWriter | undefined;
  readonly probe: OpenProbe;
  /** Erases data that was deleted before the call from the files of the database, within seconds, if the engine can do that. */
  eraseDeletedSoon(): void;
  /**
   * Whether a change of several tables is best sent as one statement. The engine must maintain the search index by itself.
   * Otherwise a change is a transaction of several statements.
   */
  readonly changesInOneStatement: boolean;
  /** Whether several transactions can change data at a time, so that a transaction must lock the rows that it relies on. */
  readonly hasManyWriters: boolean;
  /** Whether accounts take turns at the connections that read, not only at those that write. */
  readonly readsTakeTurns: boolean;
  /** Whether accounts are on several nodes, one of which may fail alone. */
  readonly isDistributed: boolean;
  /** Whether an earlier process may have left deleted data in the files, which the next one that writes erases. */
  readonly hasLeftovers: boolean;
  readonly websiteSearch: WebsiteSearchIndex;
  readonly replication: Replication;
  /**
   * Checks while the program runs that a change would not be refused, and changes nothing.
   *
   * @throws AppError `database_read_only` or `database_not_permitted` if it would be
   */
  checkWritable(): Promise<void>;
  /** What its connections do. */
  load(): Omit<StorageLoad, "replication">;
  /** Closes all connections, including those to replicas, as soon as each is idle. */
  close(): Promise<void>;
}

/** Runs `work` in a transaction, which is committed when `work` returns and undone when it throws. */
export type Transact = <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;

/** Runs queries that do not change data. */
export interface ReadDriver {
  /** Runs one query outside of a transaction. */
  readRows<Row>(query: CompiledQuery<Row>): Promise<Row[]>;
  /** Runs `work` on a connection that nobody else uses until it has ended. */
  hold<Result>(work: (connection: HeldConnection) => Promise<Result>): Promise<Result>;
}

/** A connection that one caller has to itself. */
export interface HeldConnection extends Connection {
  /** Runs `work`, whose queries on the connection all see the same state of the database. */
  snapshot<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Runs single statements that change data, without round trips to begin and end a transaction. */
export interface SingleWriter {
  /** The statement may be committed together with others of its account. */
  writeRows<Row>(statement: CompiledQuery<Row>): Promise<Row[]>;
}

/** The reads of the health check. */
interface OpenProbe {
  readonly read: ReadDriver;
  /**
   * Drops cached data, so that the next read comes from the disk, if the engine can do that.
   *
   * @throws Error if the database was moved or replaced since it was opened
   */
  refresh(): Promise<void>;
}

/** The read replicas of the primary database. */
interface Replication {
  /** Returns a position in the primary's log. Every change that was acknowledged before the call is before it. */
  primaryPosition(): Promise<LogPosition>;
  readonly replicas: readonly OpenReplica[];
}

interface OpenReplica {
  readonly read: ReadDriver;
  /** Returns the position up to which the server of the connection has replayed the log. */
  position(connection: ReadConnection): Promise<LogPosition>;
}

/** A position in a database's log of changes. The log only grows. */
export interface LogPosition {
  /**
   * Identifies the log. Several entries if the log continues in another one. Positions in different logs cannot be compared.
   */
  readonly logs: readonly string[];
  readonly bytes: number;
}

/** The words of an engine in the SQL of migrations. */
export interface SchemaWords {
  /** Type of an integer of up to 53 bits. */
  readonly integer: string;
  /** Type of a byte string. */
  readonly bytes: string;
  /** Type of a string that compares by its bytes. */
  readonly text: string;
  /** The end of a table definition. */
  readonly tableEnd: string;
  /** The end of the definition of a table that stores its rows in order of the primary key, if the engine can do that. */
  readonly clusteredTableEnd: string;
  /** The statements that create the search index. */
  readonly searchIndex: readonly string[];
}
