import { randomBytes } from "node:crypto";
import { citusWorkers, dropFromWorkers, shareWithWorkers } from "@siteward/testing/citus-database";
import pg from "pg";
import { inject } from "vitest";
import { openStorage } from "../../src/storage/open-storage.ts";
import { findWrongCounts, type TestDatabase, type TestDatabaseOptions } from "./test-database.ts";

/** Creates a database on the PostgreSQL server of the test run. */
export async function makePostgresDatabase({
  isMigrated = false,
}: TestDatabaseOptions = {}): Promise<TestDatabase & { readonly name: string }> {
  const server = inject("postgresUrl");
  // The nodes of Citus share no template.
  const template = isMigrated && citusWorkers.length === 0 ? inject("postgresTemplate") : "template1";
  const name = `siteward_${randomBytes(8).toString("hex")}`;
  await runOnPostgres(server, `create database ${name} template ${template} strategy file_copy`);
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await shareWithWorkers(databaseUrl, runOnPostgres);
  if (isMigrated && citusWorkers.length > 0) await (await openStorage({ databaseUrl })).close();
  return {
    name,
    databaseUrl,
    execute: async (statements) => void (await runOnPostgres(databaseUrl, statements)),
    async findFaults() {
      await runOnPostgres(databaseUrl, "create extension if not exists amcheck");
      await runOnPostgres(databaseUrl, checkIndexes);
      return (await runOnPostgres(databaseUrl, findWrongCounts)).rows;
    },
    async [Symbol.asyncDispose]() {
      await runOnPostgres(server, `drop database if exists ${name} with (force)`);
      await dropFromWorkers(databaseUrl, runOnPostgres);
    },
  };
}

/** `bt_index_check` throws an error if an index and its table differ. */
const checkIndexes = `
  select bt_index_check(index => pg_class.oid, heapallindexed => true)
  from pg_class join pg_am on pg_am.oid = pg_class.relam join pg_namespace on pg_namespace.oid = relnamespace
  where relkind = 'i' and amname = 'btree' and nspname = 'public'`;

/** Runs statements on a connection of their own, outside of any transaction. */
export async function runOnPostgres(databaseUrl: string, statements: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await client.query(statements);
  } finally {
    await client.end();
  }
}
