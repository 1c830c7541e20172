import type {
  CompiledQuery,
  DeleteResult,
  InsertResult,
  Kysely,
  MergeResult,
  QueryExecutorProvider,
  UpdateResult,
} from "kysely";
import type { Schema } from "../tables/schema.ts";

/** A query that can run on a connection: one of Kysely's builders, raw `sql`, or a prepared query with its values. */
export interface Query<Row> {
  compile(provider: QueryExecutorProvider): CompiledQuery<Row>;
}

/** Runs compiled queries. */
export interface Connection {
  execute<Row>(query: CompiledQuery<Row>): Promise<Row[]>;
}

/** Builds queries for an engine. Connections run them. */
export type QueryBuilder = Pick<
  Kysely<Schema>,
  "selectFrom" | "insertInto" | "updateTable" | "deleteFrom" | "with" | "schema" | "fn" | "getExecutor"
>;

/** Runs queries that do not change data. */
export interface ReadConnection {
  /** Builds queries for the engine of this connection. Those of another engine's builder may not run on it. */
  readonly build: QueryBuilder;
  /** @returns the rows: objects by column name, or whatever the query's selection returns */
  read<Row>(query: Query<Row>): Promise<Row[]>;
}

/** Runs the statements of a transaction. */
export interface WriteConnection extends ReadConnection {
  /** @returns the rows of the `returning` clause, if the statement has one */
  write<Row>(statement: Query<Row>): Promise<Returned<Row>[]>;
  /**
   * Runs a statement before the transaction is committed, but not necessarily now. Use it for statements that are cheaper
   * together with those of other transactions, and whose result nothing in the transaction needs. If the statement fails,
   * the commit fails.
   */
  writeAtCommit(statement: Query<unknown>): Promise<void>;
}

/** Kysely gives a statement without a `returning` clause the type of a result, of which connections return nothing. */
export type Returned<Row> = Row extends DeleteResult | InsertResult | MergeResult | UpdateResult ? never : Row;

/** A compiled query with instructions for the driver that Kysely's builders cannot express. */
export interface AnnotatedQuery<Row = unknown> extends CompiledQuery<Row> {
  /** The name under which an engine may keep the statement prepared. Undefined if the query does not run often. */
  readonly name: string | undefined;
  /** Converts rows from arrays of values, in the order of the select list. Undefined if rows are objects by column name. */
  readonly readRows: ((rows: readonly (readonly unknown[])[]) => Row[]) | undefined;
}

/** Whether a query is annotated. Queries are passed to drivers unchanged, so the annotations reach them. */
export function isAnnotated<Row>(query: CompiledQuery<Row>): query is AnnotatedQuery<Row> {
  return "readRows" in query;
}

/** A statement that an engine may run as late as right before the commit. */
export interface LastStatement<Row = unknown> extends CompiledQuery<Row> {
  readonly runsAtCommit: true;
}

/** Whether a statement is marked. Statements are passed to drivers unchanged. */
export function runsAtCommit<Row>(statement: CompiledQuery<Row>): statement is LastStatement<Row> {
  return "runsAtCommit" in statement;
}
