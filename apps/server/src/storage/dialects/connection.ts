import type { CompiledQuery, QueryExecutorProvider } from "kysely";

/** What runs on a connection: a query of Kysely's builder, raw `sql`, or a prepared query with its values. */
export interface Query<Row> {
  compile(provider: QueryExecutorProvider): CompiledQuery<Row>;
}

/** Runs queries that change nothing. */
export interface ReadConnection {
  /** @returns the rows, by the names of their columns or as the query's selection reads them */
  read<Row>(query: Query<Row>): Promise<Row[]>;
}

/** Runs the statements of a transaction, which commit together or not at all. */
export interface WriteConnection extends ReadConnection {
  /** @returns the rows of the `returning` clause, if the statement has one */
  write<Row>(statement: Query<Row>): Promise<Row[]>;
}

/** A query that says more to the driver than Kysely's builders can. */
export interface AnnotatedQuery<Row = unknown> extends CompiledQuery<Row> {
  /** An engine may keep the query prepared under this name. Undefined if the query does not run often. */
  readonly name: string | undefined;
  /** Reads rows from their values, in the order of the select list. Undefined if rows are objects by the names of columns. */
  readonly readRows: ((rows: readonly (readonly unknown[])[]) => Row[]) | undefined;
}

/** Whether a query is annotated: Kysely passes queries to drivers as they are. */
export function isAnnotated<Row>(query: CompiledQuery<Row>): query is AnnotatedQuery<Row> {
  return "readRows" in query;
}
