import { randomBytes } from "node:crypto";
import { dropFromWorkers, shareWithWorkers } from "@siteward/testing/citus-database";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import pg from "pg";
import { findDisagreement } from "./agreement.ts";
import type { Database, Engine } from "./database.ts";

/** These settings are safe for rows that kill servers. A row that crashes PostgreSQL starts its own PostgreSQL. */
const settings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"];

/** Creates databases on our own PostgreSQL, or on the one with this URL, which stays as it is. */
export async function openPostgres(url = ""): Promise<Engine> {
  const cluster = url === "" ? await startPostgresCluster({ settings }) : undefined;
  const urlOf = cluster?.urlOf ?? ((name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href);
  return {
    createDatabase: () => createPostgresDatabase(urlOf, `torture_${randomBytes(8).toString("hex")}`),
    [Symbol.asyncDispose]: async () => await cluster?.[Symbol.asyncDispose](),
  };
}

/** Creates a database on a PostgreSQL that the caller stops. */
export async function createPostgresDatabase(urlOf: (name: string) => string, name: string): Promise<Database> {
  await runSql(urlOf("postgres"), `create database "${name}"`);
  const url = urlOf(name);
  await shareWithWorkers(url, runSql);
  const query: Database["query"] = (sql) => runSql(url, sql);
  return {
    url,
    engine: "postgres",
    file: undefined,
    query,
    findDamage: async () => [...(await findIndexDamage(query)), ...(await findDisagreement({ query }))],
    [Symbol.asyncDispose]: async () => {
      await runSql(urlOf("postgres"), `drop database if exists "${name}" with (force)`).catch(() => {});
      await dropFromWorkers(url, runSql);
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

async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
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
