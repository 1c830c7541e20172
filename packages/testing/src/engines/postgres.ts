import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { citusWorkers, dropFromWorkers, shareWithWorkers } from "../citus-database.ts";
import { operate } from "../servers/operate.ts";
import { findDisagreement } from "./agreement.ts";
import type { Database, DatabaseOptions } from "./database.ts";

/** Creates a database on the PostgreSQL server of the run. */
export async function createPostgresTestDatabase({ isMigrated = false }: DatabaseOptions): Promise<Database> {
  const server = inject("postgresUrl");
  const urlOf = (name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const name = `siteward_${randomBytes(8).toString("hex")}`;
  // The nodes of Citus share no template.
  const template = isMigrated && citusWorkers.length === 0 ? inject("postgresTemplate") : "template1";
  const database = await createPostgresDatabase(urlOf, name, template);
  await shareWithWorkers(database.url, runSql);
  if (isMigrated && citusWorkers.length > 0) await operate(database.url, ["migrate"]);
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await dropFromWorkers(database.url, runSql);
    },
  };
}

/** Creates a database on a PostgreSQL that the caller stops. */
export async function createPostgresDatabase(
  urlOf: (name: string) => string,
  name: string,
  template = "template1",
): Promise<Database> {
  await runSql(urlOf("postgres"), `create database "${name}" template "${template}" strategy file_copy`);
  const url = urlOf(name);
  const query: Database["query"] = (sql) => runSql(url, sql);
  return {
    url,
    engine: "postgres",
    file: undefined,
    query,
    findDamage: async () => [...(await findIndexDamage(query)), ...(await findDisagreement({ query }))],
    [Symbol.asyncDispose]: async () => {
      await runSql(urlOf("postgres"), `drop database if exists "${name}" with (force)`).catch(() => {});
    },
  };
}

/** https://www.postgresql.org/docs/current/amcheck.html */
async function findIndexDamage(query: Database["query"]): Promise<string[]> {
  try {
    await query("create extension if not exists amcheck");
    await query(
      "select bt_index_check(index => c.oid, heapallindexed => i.indisunique) " +
        "from pg_index i join pg_class c on c.oid = i.indexrelid " +
        "join pg_am a on a.oid = c.relam where a.amname = 'btree' and c.relpersistence = 'p' and i.indisvalid",
    );
    return [];
  } catch (error) {
    return [`amcheck: ${error instanceof Error ? error.message : error}`];
  }
}

/** Runs statements on a connection of their own, outside of any transaction. Returns the rows if it is one statement. */
export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connectPostgres(url);
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Opens a connection. If it is lost, the next query fails. */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    // By default, pg returns a bigint as a string. Ours are below 2^53.
    types: {
      getTypeParser: (id: number, format?: "text" | "binary") =>
        id === 20 ? Number : pg.types.getTypeParser(id, format),
    },
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}
