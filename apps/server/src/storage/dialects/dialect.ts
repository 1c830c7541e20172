import type { CompiledQuery, Dialect, RawBuilder } from "kysely";
import type { Schema } from "../tables/schema.ts";
import type { ReadConnection, WriteConnection } from "./connection.ts";

/**
 * What the rest of storage needs from a database engine. Only the folder of an engine knows which engine it is.
 *
 * The drivers of a dialect throw `StorageError` if the database cannot answer or keep a change now.
 */
export interface StorageDialect {
  /** How the database URLs of this dialect begin, such as `file:`. */
  readonly urlSchemes: readonly string[];
  /** How Kysely writes SQL for the engine. */
  readonly syntax: Omit<Dialect, "createDriver">;
  /** Whether the database exists, as far as one can tell without opening it, since opening may create it. */
  exists(options: DatabaseLocation): Promise<boolean>;
  /** @throws Error that says what is wrong with the URLs or the database */
  open(options: DialectOptions): Promise<OpenDialect>;
  /** Whether a transaction failed only because of other transactions, so that it may succeed if it runs again. */
  isRetryable(error: unknown): boolean;
  /** Blocks migrations by other processes, on other machines too, until the transaction ends. The table of versions exists. */
  lockMigrations(transaction: WriteConnection): Promise<void>;
  /** Blocks every change of these tables until the transaction ends, however long it lasts. Reads continue. */
  lockTables(transaction: WriteConnection, tables: readonly (keyof Schema)[]): Promise<void>;
  hasTable(connection: ReadConnection, table: keyof Schema): Promise<boolean>;
  /** Ends a select of rows that the transaction will change, so that other transactions that would change them wait. */
  readonly forUpdate: RawBuilder<unknown>;
  readonly definitions: DialectDefinitions;
}

/** Where a database is. */
export interface DatabaseLocation {
  readonly databaseUrl: string;
  /** What messages call the URL, such as the name of the setting that contains it. */
  readonly setting: string;
}

export interface DialectOptions extends DatabaseLocation {
  /** Databases that follow this one and may be read. */
  readonly replicas: readonly DatabaseLocation[];
  /** Whether a statement may take as long as it needs, and not only as long as a request may wait. */
  readonly allowsLongStatements: boolean;
}

/** Drivers for reads, which never wait for writers, and one for write transactions. */
export interface OpenDialect extends OpenReader {
  readonly write: Dialect;
  readonly probe: OpenProbe;
  /** Erases within seconds what was deleted before the call, if the files of the engine would keep it and it can. */
  eraseDeletedSoon(): void;
  readonly websiteSearch: WebsiteSearchIndex;
  readonly replication: Replication;
  /** Closes every connection, those to replicas too, as soon as each is idle. */
  close(): Promise<void>;
}

/** Drivers for reads. */
export interface OpenReader {
  readonly read: Dialect;
  readonly single: SingleReader;
}

/** Answers single reads without Kysely's runtime, which takes as long as the answer of an embedded database. */
export interface SingleReader {
  readRows<Row>(query: CompiledQuery<Row>): Promise<Row[]>;
}

/** Drivers for the reads of the health check. */
interface OpenProbe extends OpenReader {
  /**
   * Drops what was read before from memory, so that the next read comes from the disk if the engine can do that.
   *
   * @throws Error if the database is no longer where it was opened
   */
  refresh(): Promise<void>;
}

/** Databases that follow the first one. */
interface Replication {
  /** Returns a position in the log. Everything that was acknowledged before the call lies before it. */
  primaryPosition(): Promise<LogPosition>;
  readonly replicas: readonly OpenReplica[];
}

interface OpenReplica {
  readonly read: Dialect;
  /** Returns the position up to which the server of the connection has everything. */
  position(connection: ReadConnection): Promise<LogPosition>;
}

/** A place in a database's log of changes, which only grows. */
export interface LogPosition {
  /** Which log it is; several if the log continues in another one. Places in different logs cannot be compared. */
  readonly logs: readonly string[];
  readonly bytes: number;
}

/** How the engine writes what migrations define. */
export interface DialectDefinitions {
  /** Type of an integer of up to 53 bits. */
  readonly integer: RawBuilder<unknown>;
  /** Type of a byte string. */
  readonly bytes: RawBuilder<unknown>;
  /** Type of a string that compares by its bytes. */
  readonly text: RawBuilder<unknown>;
  /** What follows the definition of a table. */
  readonly tableEnd: RawBuilder<unknown>;
  /** The same for a table whose rows are stored in the order of its primary key, if the engine can do that. */
  readonly clusteredTableEnd: RawBuilder<unknown>;
  /** Creates the search index of version 1. */
  createWebsiteSearch(transaction: WriteConnection): Promise<void>;
  /** Puts the account in front of each part in the search index, if version 1 did not. Runs with version 2. */
  addAccountToWebsiteSearch(transaction: WriteConnection): Promise<void>;
}

/** Finds websites by a part of their domain without reading the entire account. */
export interface WebsiteSearchIndex {
  add(transaction: WriteConnection, website: { accountId: number; id: number; domain: string }): Promise<void>;
  remove(transaction: WriteConnection, website: { accountId: number; id: number }): Promise<void>;
  /** Counts the matches, up to `max`. */
  count(connection: ReadConnection, match: WebsiteMatch, max: number): Promise<number>;
  /** Finds the ids of matches in the order of the scan. */
  find(connection: ReadConnection, match: WebsiteMatch, range: WebsiteMatchRange): Promise<number[]>;
}

export interface WebsiteMatch {
  readonly accountId: number;
  /** What the domain contains, in the characters of a canonical domain. */
  readonly term: string;
}

export interface WebsiteMatchRange {
  readonly sortBy: "id" | "domain";
  readonly order: "asc" | "desc";
  /** Only matches whose sort key compares with `key` in this way. */
  readonly bound?: KeyBound | undefined;
  readonly offset: number;
  readonly limit: number;
  /** Whether so many websites match that the next match in any order is likely to be near. */
  readonly isDense: boolean;
}

export interface KeyBound {
  readonly operator: KeyOperator;
  readonly key: number | string;
}

export type KeyOperator = "<" | "<=" | ">" | ">=";
