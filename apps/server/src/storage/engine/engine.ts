import type { DatabaseInspection } from "../interface/inspection.ts";
import type { StorageLoad } from "../interface/storage-load.ts";
import type { Table } from "../tables/table.ts";
import type {
  Connection,
  DatabaseLocation,
  QueryTools,
  ReadConnection,
  ReadDriver,
  SqlQuery,
  Transact,
  WriteConnection,
} from "./connection.ts";
import type { MovableFiles } from "./movable-files.ts";
import type { Sql } from "./statement.ts";
import type { WebsiteSearchIndex } from "./website-search-index.ts";

/** What storage needs of an engine. Its drivers throw `AppError` if it cannot answer or store a change now. */
export interface Engine {
  readonly mark: QueryTools["mark"];
  /** @throws InstallationError that says what is wrong with the URLs or the database, which is then not changed */
  open(options: EngineOptions): Promise<OpenEngine>;
  /** Looks at a database, also one that `open` refuses. Opens none yet. @throws InstallationError `invalid_url` */
  inspect(location: DatabaseLocation, replicas: readonly DatabaseLocation[]): Promise<EngineInspection>;
  /** Its databases are files, which are created when they are opened. Undefined if they are on servers. */
  readonly files: MovableFiles | undefined;
  /** Its databases are on servers. Undefined if they are files. */
  readonly server: DatabaseServer | undefined;
  /** Whether a transaction failed only because of other transactions, so that a retry may succeed. */
  isRetryable(error: unknown): boolean;
  /** Runs statements that the engine may not support. Then nothing of them is kept. */
  ifSupported(transaction: WriteConnection, create: () => Promise<void>): Promise<void>;
  /** Returns the names of all tables of Siteward that exist, and perhaps of others. */
  findTables(connection: ReadConnection): Promise<ReadonlySet<string>>;
  /** The end of a query for rows that the transaction will change. Other transactions that want to change them wait. */
  readonly forUpdate: Sql;
  readonly words: SchemaWords;
}

/** What others may do to the tables of a database on a server, and how several servers share them. */
export interface DatabaseServer {
  /**
   * Blocks migrations by all other processes until the transaction ends. The table of versions must exist. The
   * transaction then waits only briefly for the locks of others, because all requests wait behind it. See
   * `isLockTimeout`.
   *
   * @throws InstallationError `not_coordinator` if the server can change no tables
   */
  lockMigrations(transaction: WriteConnection): Promise<void>;
  /** Whether a migration failed only because others use its tables. */
  isLockTimeout(error: unknown): boolean;
  /** Says who uses the tables of a migration that had to wait, if anybody still does. */
  findLockHolder(connection: ReadConnection): Promise<string | undefined>;
  /** Returns the tables that the nodes must share and do not yet. @throws InstallationError `not_coordinator` */
  findUndistributed(connection: ReadConnection): Promise<readonly Table[]>;
  /** Says why the nodes of a database that could be distributed do not share its tables. Undefined if they do. */
  explainUndistributed(connection: ReadConnection): Promise<string | undefined>;
  distribution(tables: readonly Table[]): readonly Sql[];
  /**
   * Blocks every change of these tables until the transaction ends, however long it takes, on a server that refuses no
   * connections. Reads continue. Returns a function that checks again who is connected.
   *
   * @throws InstallationError `source_in_use` if another program of Siteward is, or `source_not_checkable` if the server does not tell.
   *   The returned function throws it too.
   */
  lockUnused(transaction: WriteConnection, tables: readonly Table[]): Promise<() => Promise<void>>;
}

export interface EngineOptions extends DatabaseLocation {
  /** The read replicas. None by default. */
  readonly replicas: readonly DatabaseLocation[];
  /** How this process calls itself to a server, beginning with `siteward`. By default, as the URL says. */
  readonly programName?: string | undefined;
  /** Whether statements have no timeout. Otherwise a statement may take as long as a request may wait. */
  readonly allowsLongStatements?: boolean;
  /** Whether a database that does not exist or has no tables of Siteward is refused instead of created. */
  readonly mustExist?: boolean;
  /**
   * Whether a database is refused that accepts no changes, with an InstallationError `read_only` that says what refuses
   * them, and what to do. One that another process writes to is not refused.
   */
  readonly mustBeWritable?: boolean;
  /** Whether nothing else runs on the thread, so that an embedded engine may block it for a while. */
  readonly hasOwnThread?: boolean;
}

/** How an engine looks at a database without changing it. */
export interface EngineInspection
  extends Pick<DatabaseInspection, "name" | "folder" | "requireWritable" | "readFiles" | "readReplicas" | "close"> {
  /**
   * Runs `work` with a connection that cannot change the database. Runs it again if another process may have changed
   * the files meanwhile without the locks that protect a reader.
   *
   * @throws InstallationError that says why the database cannot be read
   */
  read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Returns the time of the server's clock, in milliseconds since 1970. Undefined without a clock. */
  readClock(connection: Connection): Promise<number | undefined>;
}

/** An open database: drivers for reads, which never wait for writers, and one for write transactions. */
export interface OpenEngine {
  readonly read: ReadDriver;
  readonly write: Transact;
  /** Runs one statement that changes data. An engine may commit it together with others of its account. */
  writeRows<Row>(statement: SqlQuery<Row>): Promise<Row[]>;
  /** Runs changes in one transaction, if writing blocks the thread until the disk has it, which takes as long for many. */
  readonly runBlockingBatch?: (
    changes: readonly (() => Promise<unknown>)[],
  ) => Promise<PromiseSettledResult<unknown>[]>;
  /** Reads the primary, for health checks. */
  readonly probe: ReadDriver;
  /** Lets the next probe read from the disk if the engine can do that. @throws Error if the database was replaced since */
  refreshProbe(): Promise<void>;
  /**
   * Call this after a secret was deleted. Its last copies in the database's files are erased within seconds if the
   * engine can do that. It is not done after each commit: on SQLite, the commits after it took 1.6 times as long,
   * because they make the log longer instead of overwriting it.
   */
  eraseDeletedSoon(): void;
  /** Whether several transactions can change data at a time, so that one must lock its rows. */
  readonly hasManyWriters: boolean;
  /** Whether accounts are on several nodes, one of which may fail alone. */
  readonly isDistributed: boolean;
  readonly websiteSearch: WebsiteSearchIndex;
  readonly replication: {
    /** Returns a position in the primary's log. Every change that was acknowledged before the call is before it. */
    primaryPosition(): Promise<LogPosition>;
    readonly replicas: readonly OpenReplica[];
  };
  /**
   * Checks while the program runs that a change would not be refused, and changes nothing.
   *
   * @throws AppError `database_read_only` or `database_not_permitted` if it would be
   */
  checkWritable(): Promise<void>;
  load(): Omit<StorageLoad, "replication">;
  /** Closes all connections, including those to replicas, as soon as each is idle. */
  close(): Promise<void>;
}

export interface OpenReplica {
  /** Runs `work` on a connection that nobody else uses until it has ended. */
  hold<Result>(work: (connection: ReadDriver) => Promise<Result>): Promise<Result>;
  /** Returns the position up to which the server of the connection has replayed the log. */
  position(connection: Connection): Promise<LogPosition>;
}

/** A position in a database's log of changes. The log only grows. */
export interface LogPosition {
  /** Several entries if the log continues in another one. Positions in different logs cannot be compared. */
  readonly logs: readonly string[];
  readonly bytes: number;
}

/** Returns how much of the log is missing. @throws Error if the logs are different ones, which cannot be compared */
export function missingBytes(position: LogPosition, needed: LogPosition): number {
  if (position.logs.some((log) => needed.logs.includes(log))) return Math.max(0, needed.bytes - position.bytes);
  throw new Error(
    "The replica follows another database, or did not follow its primary past a failover: " +
      `its log is ${position.logs.join(" or ")}, not ${needed.logs.join(" or ")}.`,
  );
}

export interface SchemaWords {
  /** Type of an integer of up to 53 bits. */
  readonly integer: Sql;
  readonly bytes: Sql;
  /** Type of a string that compares by its bytes. */
  readonly text: Sql;
  readonly tableEnd: Sql;
  /** The end of the definition of a table that stores its rows in order of the primary key, if the engine can do that. */
  readonly clusteredTableEnd: Sql;
  readonly searchIndex: readonly Sql[];
}
