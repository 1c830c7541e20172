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
export type Query<Row> = { compile(provider: QueryExecutorProvider): CompiledQuery<Row> } | SqlQuery<Row>;

/** A query for the driver of an engine. Kysely's compiled queries are such. */
export interface SqlQuery<Row = unknown> extends Pick<CompiledQuery, "sql" | "parameters"> {
  /** The name under which an engine may keep the statement prepared. Undefined if the query does not run often. */
  readonly name?: string;
  /** The account whose rows it reads or changes. Undefined if it names none. */
  readonly accountId?: number | undefined;
  /** Converts rows from arrays of values, in the order of the select list. Undefined if rows are objects by column name. */
  readonly readRows?: ((rows: readonly (readonly unknown[])[]) => Row[]) | undefined;
  /** Whether an engine may run the statement as late as right before the commit. */
  readonly runsAtCommit?: boolean;
}

export interface Connection {
  execute<Row>(query: SqlQuery<Row>): Promise<Row[]>;
}

/** Runs `work` in a transaction, which is committed when `work` returns and undone when it throws. */
export type Transact = <Result>(
  work: (connection: Connection) => Promise<Result>,
  /** The account whose rows it changes. Undefined if there is no one account. */
  accountId?: number,
) => Promise<Result>;

/** Runs queries that do not change data, for an engine. */
export interface ReadDriver extends Connection {
  /** Runs `work` on a connection of its own, whose queries all see the same state of the database. Accounts take turns. */
  snapshot<Result>(work: (connection: Connection) => Promise<Result>, accountId: number): Promise<Result>;
}

/** Builds queries for an engine. Connections run them. */
export type QueryBuilder = Pick<
  Kysely<Schema>,
  "selectFrom" | "insertInto" | "updateTable" | "deleteFrom" | "with" | "fn" | "getExecutor"
>;

/** Runs queries that do not change data. */
export interface ReadConnection {
  /** Builds queries for the engine of this connection. Those of another engine's builder may not run on it. */
  readonly build: QueryBuilder;
  /** @returns the rows: objects by column name, or whatever the query's selection returns */
  read<Row>(query: Query<Row>): Promise<Row[]>;
}

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

export interface DatabaseLocation {
  readonly databaseUrl: string;
  /** The name of the URL in messages, such as the setting that contains it. */
  readonly setting: string;
}

/** Reads committed data. Never waits for writers. */
export interface Reader extends ReadConnection {
  /** Runs `work` for an account on a connection whose queries all see the same state of the database. */
  snapshot<Result>(accountId: number, work: (connection: ReadConnection) => Promise<Result>): Promise<Result>;
}

/** Compiles the queries of an engine, and logs them. */
export interface QueryTools {
  readonly build: QueryBuilder;
  /** Called for each query before it runs. */
  readonly log?: ((event: { readonly query: SqlQuery }) => void) | undefined;
}

export function createReader(driver: ReadDriver, tools: QueryTools): Reader {
  return {
    ...toReadConnection(driver, tools),
    snapshot: (accountId, work) =>
      driver.snapshot((connection) => work(toReadConnection(connection, tools)), accountId),
  };
}

export function toReadConnection(connection: Connection, tools: QueryTools): ReadConnection {
  return { build: tools.build, read: (query) => connection.execute(compile(query, tools)) };
}

export function toWriteConnection(connection: Connection, tools: QueryTools): WriteConnection {
  return {
    build: tools.build,
    read: (query) => connection.execute(compile(query, tools)),
    // The cast is safe: drivers return rows only if the statement has a `returning` clause.
    write: <Row>(statement: Query<Row>) => connection.execute(compile(statement, tools)) as Promise<Returned<Row>[]>,
    writeAtCommit: async (statement) =>
      void (await connection.execute({ ...compile(statement, tools), runsAtCommit: true })),
  };
}

export function compile<Row>(query: Query<Row>, { build, log }: QueryTools): SqlQuery<Row> {
  const compiled = "compile" in query ? query.compile(build) : query;
  log?.({ query: compiled });
  return compiled;
}
