import type { CompiledQuery } from "kysely";
import type {
  Connection,
  LastStatement,
  Query,
  QueryBuilder,
  ReadConnection,
  Returned,
  WriteConnection,
} from "../dialects/connection.ts";
import type { HeldConnection, ReadDriver } from "../dialects/dialect.ts";

/** Reads committed data. Never waits for writers. */
export interface Reader extends ReadConnection {
  /** Runs `work` on a connection whose queries all see the same state of the database. */
  snapshot<Result>(work: (connection: ReadConnection) => Promise<Result>): Promise<Result>;
}

/** Compiles the queries of an engine, and logs them. */
export interface QueryTools {
  readonly build: QueryBuilder;
  /** Called for each query before it runs. */
  readonly log?: ((event: { readonly query: CompiledQuery }) => void) | undefined;
}

export function createReader(driver: ReadDriver, tools: QueryTools): Reader {
  return {
    build: tools.build,
    read: (query) => driver.readRows(compile(query, tools)),
    snapshot: (work) => driver.hold((connection) => toReader(connection, tools).snapshot(work)),
  };
}

/** Runs `work` with a reader that has one connection to itself. */
export function withReader<Result>(
  driver: ReadDriver,
  tools: QueryTools,
  work: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  return driver.hold((connection) => work(toReader(connection, tools)));
}

function toReader(connection: HeldConnection, tools: QueryTools): Reader {
  const reader = toReadConnection(connection, tools);
  return { ...reader, snapshot: (work) => connection.snapshot(() => work(reader)) };
}

function toReadConnection(connection: Connection, tools: QueryTools): ReadConnection {
  return { build: tools.build, read: (query) => connection.execute(compile(query, tools)) };
}

/** Returns a connection for the statements of a transaction. */
export function toWriteConnection(connection: Connection, tools: QueryTools): WriteConnection {
  return {
    ...toReadConnection(connection, tools),
    // The cast is safe: drivers return rows only if the statement has a `returning` clause.
    write: <Row>(statement: Query<Row>) => connection.execute(compile(statement, tools)) as Promise<Returned<Row>[]>,
    async writeAtCommit(statement) {
      const last: LastStatement = { ...compile(statement, tools), runsAtCommit: true };
      await connection.execute(last);
    },
  };
}

/** Compiles a query for the engine, and tells the log of it. */
export function compile<Row>(query: Query<Row>, { build, log }: QueryTools): CompiledQuery<Row> {
  const compiled = query.compile(build);
  log?.({ query: compiled });
  return compiled;
}
