import type { CompiledQuery, Dialect, Kysely, QueryResult, RawBuilder, Transaction } from "kysely";
import type { Schema } from "../tables/schema.ts";

/**
 * What the rest of storage asks of a database engine. Only the files in this folder know which engine it is.
 *
 * The drivers of a dialect throw `storageUnavailable` where the database cannot answer or keep a change now.
 */
export interface StorageDialect {
  /** The beginnings of the database URLs that are this dialect's, such as `file:`. */
  readonly urlSchemes: readonly string[];
  /** How Kysely writes the engine's SQL, for connections and without one. */
  readonly syntax: Omit<Dialect, "createDriver">;
  /** Whether there is a database at all, as far as that can be told without opening it, which may make one. */
  exists(options: DatabasePlace): Promise<boolean>;
  /** @throws Error that says what is wrong with the URLs or the database */
  open(options: DialectOptions): Promise<OpenDialect>;
  /** Whether a transaction failed only because others were in its way, so that it may succeed when run again. */
  isRetryable(error: unknown): boolean;
  /** Keeps other processes, on other machines too, from migrating until the transaction ends. The table of versions exists. */
  lockSchema(transaction: Transaction<Schema>): Promise<void>;
  /** Keeps everybody from changing these tables until the transaction ends, however long it lasts. Reads go on. */
  holdTables(transaction: Transaction<Schema>, tables: readonly (keyof Schema)[]): Promise<void>;
  hasTable(connection: Kysely<Schema>, table: keyof Schema): Promise<boolean>;
  /** Ends a select of rows that the transaction will change, so that others who would do the same wait for it. */
  readonly forUpdate: RawBuilder<unknown>;
  readonly definitions: DialectDefinitions;
}

/** Where a database is. */
export interface DatabasePlace {
  readonly databaseUrl: string;
  /** What messages call the URL, such as the name of the setting that contains it. */
  readonly setting: string;
}

export interface DialectOptions extends DatabasePlace {
  /** Databases that follow this one and may be read. */
  readonly replicas: readonly DatabasePlace[];
  /** Whether a statement may take as long as it needs, and not only as long as a request may wait. */
  readonly isPatient: boolean;
}

/** Drivers for reads, which never wait for writers, and one for write transactions. */
export interface OpenDialect extends OpenReader {
  readonly write: Dialect;
  readonly probe: OpenProbe;
  /** Has the engine erase within seconds what was deleted before the call, if its files would keep it and it can. */
  eraseSoon(): void;
  readonly websiteSearch: WebsiteSearchIndex;
  readonly replication: Replication;
  /** Closes every connection, those to replicas as well, once each is out of use. */
  close(): Promise<void>;
}

/** Drivers for reads. */
interface OpenReader {
  readonly read: Dialect;
  /** Answers single reads without Kysely's runtime, which costs as much as an embedded database's answer. */
  readonly direct: DirectReader;
}

/** Drivers for the reads of the health check. */
interface OpenProbe extends OpenReader {
  /**
   * Forgets what was read before, so that the next read comes from the disk if the engine can do that.
   *
   * @throws Error if the database is no longer where it was opened
   */
  refresh(): Promise<void>;
}

/** Databases that follow the first one. */
interface Replication {
  /** Gives a position before which everything lies that was acknowledged before the call. */
  primaryPosition(): Promise<LogPosition>;
  readonly replicas: readonly OpenReplica[];
}

interface OpenReplica {
  readonly read: Dialect;
  /** Gives a position before which the server has everything that the connection leads to. */
  position(connection: Kysely<Schema>): Promise<LogPosition>;
}

/** A place in a database's log of changes, which only grows. */
export interface LogPosition {
  /** Which log it is; several where it goes on in another. Places in different logs cannot be compared. */
  readonly logs: readonly string[];
  readonly bytes: number;
}

/** Answers queries that were built before, each by itself. */
export interface DirectReader {
  /** @returns of every row its values, in the order of the select list */
  readValues(query: CompiledQuery): Promise<readonly (readonly unknown[])[]>;
}

/** A query that was built once and runs often, so that an engine may keep it prepared under its name. */
export interface RepeatedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly name: string;
}

/** Runs a query that was built before; Kysely and its transactions are such as well. */
export interface QueryRunner {
  executeQuery<Row>(query: RepeatedQuery<Row>): Promise<QueryResult<Row>>;
}

/** How the engine says what migrations define. */
export interface DialectDefinitions {
  /** Type of a whole number of up to 53 bits. */
  readonly integer: RawBuilder<unknown>;
  /** Type of a string of bytes. */
  readonly bytes: RawBuilder<unknown>;
  /** Type of text that compares by its bytes. */
  readonly text: RawBuilder<unknown>;
  /** What follows the definition of a table. */
  readonly tableEnd: RawBuilder<unknown>;
  /** The same for a table whose records lie in the order of its primary key, where the engine can do that. */
  readonly clusteredTableEnd: RawBuilder<unknown>;
  /** Creates the search index of version 1. */
  createWebsiteSearch(transaction: Transaction<Schema>): Promise<void>;
  /** Puts the account in front of each part that the search index holds, if version 1 did not. Runs with version 2. */
  leadWebsiteSearchByAccount(transaction: Transaction<Schema>): Promise<void>;
}

/** Finds websites by a part of their domain without reading all of the account. */
export interface WebsiteSearchIndex {
  add(transaction: Transaction<Schema>, website: { accountId: number; id: number; domain: string }): Promise<void>;
  remove(transaction: Transaction<Schema>, website: { accountId: number; id: number }): Promise<void>;
  /** Counts the matches, up to `max`. */
  count(connection: Kysely<Schema>, match: WebsiteMatch, max: number): Promise<number>;
  /** Finds ids of matches in the order of the scan. */
  find(connection: Kysely<Schema>, match: WebsiteMatch, range: WebsiteMatchRange): Promise<number[]>;
}

export interface WebsiteMatch {
  readonly accountId: number;
  /** What the domain holds, in the characters of a canonical domain. */
  readonly term: string;
}

export interface WebsiteMatchRange {
  readonly sortBy: "id" | "domain";
  readonly order: "asc" | "desc";
  /** Only matches whose sort key compares so with `key`. */
  readonly bound?: KeyBound | undefined;
  readonly offset: number;
  readonly limit: number;
  /** Whether so many match that the next match in any order is likely near. */
  readonly isDense: boolean;
}

export interface KeyBound {
  readonly operator: KeyOperator;
  readonly key: number | string;
}

export type KeyOperator = "<" | "<=" | ">" | ">=";
