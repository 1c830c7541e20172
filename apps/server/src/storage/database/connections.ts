import type { Kysely } from "kysely";
import type { Query, ReadConnection, WriteConnection } from "../dialects/connection.ts";
import type { SingleReader } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";
import type { QueryBuilder } from "./query-builder.ts";

/** Reads what is committed. It never waits for a writer. */
export interface Reader extends ReadConnection {
  /** Runs `work` on a connection whose queries all see the same state of the database. */
  snapshot<Result>(work: (connection: ReadConnection) => Promise<Result>): Promise<Result>;
}

/** Reads through Kysely's runtime, which can log queries and use one connection for all of them. */
export function createReader(kysely: Kysely<Schema>): Reader {
  return {
    read: (query) => run(kysely, query),
    snapshot: (work) =>
      kysely
        .transaction()
        .setAccessMode("read only")
        .setIsolationLevel("repeatable read")
        .execute((transaction) => work({ read: (query) => run(transaction, query) })),
  };
}

/** Reads single queries without Kysely's runtime. */
export function createFastReader(kysely: Kysely<Schema>, single: SingleReader, builder: QueryBuilder): Reader {
  return { ...createReader(kysely), read: (query) => single.readRows(query.compile(builder)) };
}

/** Runs statements in a transaction that Kysely has begun. */
export function toWriteConnection(transaction: Kysely<Schema>): WriteConnection {
  return { read: (query) => run(transaction, query), write: (statement) => run(transaction, statement) };
}

async function run<Row>(kysely: Kysely<Schema>, query: Query<Row>): Promise<Row[]> {
  const { rows } = await kysely.executeQuery(query.compile(kysely));
  return rows;
}
