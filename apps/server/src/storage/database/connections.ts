import type { Kysely } from "kysely";
import type {
  LastStatement,
  Query,
  QueryBuilder,
  ReadConnection,
  Returned,
  WriteConnection,
} from "../dialects/connection.ts";
import type { SingleReader } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";

/** Reads committed data. Never waits for writers. */
export interface Reader extends ReadConnection {
  /** Runs `work` on a connection whose queries all see the same state of the database. */
  snapshot<Result>(work: (connection: ReadConnection) => Promise<Result>): Promise<Result>;
}

/** Creates a reader that uses Kysely's runtime, which can log queries and run several on one connection. */
export function createReader(kysely: Kysely<Schema>, build: QueryBuilder): Reader {
  return {
    build,
    read: (query) => run(kysely, query),
    snapshot: (work) =>
      kysely
        .transaction()
        .setAccessMode("read only")
        .setIsolationLevel("repeatable read")
        .execute((transaction) => work({ build, read: (query) => run(transaction, query) })),
  };
}

/** Creates a reader that bypasses Kysely's runtime for single queries. See `SingleReader` for the reason. */
export function createFastReader(kysely: Kysely<Schema>, single: SingleReader, build: QueryBuilder): Reader {
  return { ...createReader(kysely, build), read: (query) => single.readRows(query.compile(build)) };
}

/** Returns a connection that runs statements in a transaction of Kysely. */
export function toWriteConnection(transaction: Kysely<Schema>, build: QueryBuilder): WriteConnection {
  return {
    build,
    read: (query) => run(transaction, query),
    // The cast is safe: drivers return rows only if the statement has a `returning` clause.
    write: <Row>(statement: Query<Row>) => run(transaction, statement) as Promise<Returned<Row>[]>,
    async writeAtCommit(statement) {
      const last: LastStatement = { ...statement.compile(transaction), runsAtCommit: true };
      await transaction.executeQuery(last);
    },
  };
}

async function run<Row>(kysely: Kysely<Schema>, query: Query<Row>): Promise<Row[]> {
  const { rows } = await kysely.executeQuery(query.compile(kysely));
  return rows;
}
