import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import pg from "pg";
import { findMemoryFolder } from "./find-memory-folder.ts";
import type { NewDatabase, ServiceDatabase } from "./service-database.ts";

/** If the machine crashes, what tests wrote may be lost. The write-ahead log stays small, because it may be in memory. */
const settings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_wal_size=128MB"];

/** Creates a database on a PostgreSQL server of its own, or on the one that `SITEWARD_TEST_POSTGRES_URL` names. */
export async function createPostgres(): Promise<NewDatabase> {
  await using starting = new AsyncDisposableStack();
  const server = await findServer(starting);
  const name = `siteward_${randomBytes(8).toString("hex")}`;
  await runOnce(server, `create database ${name}`);
  starting.defer(() => runOnce(server, `drop database ${name} with (force)`));
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const resources = starting.move();
  return { url, open: () => openPostgres(url), [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function findServer(resources: AsyncDisposableStack): Promise<string> {
  const named = process.env["SITEWARD_TEST_POSTGRES_URL"];
  if (named !== undefined && named !== "") return named;
  const place = await mkdtemp(join(await findMemoryFolder(), "siteward-postgres-"));
  resources.defer(() => rm(place, { recursive: true, force: true }));
  // The user that runs PostgreSQL is another one if the tests run as root.
  await chmod(place, 0o755);
  return resources.use(await startPostgresCluster({ settings, place })).urlOf("postgres");
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function openPostgres(url: string): Promise<ServiceDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let written: Promise<unknown> = Promise.resolve();
  const send = (statement: string, values: unknown[]) => {
    written = written.then(() => client.query(statement, values));
  };
  return {
    async readFirst(table) {
      const { rows } = await client.query(`select * from ${table} order by id limit 1`);
      if (rows[0] === undefined) throw new Error(`The table ${table} is empty.`);
      return rows[0];
    },
    insert(table, row) {
      const columns = Object.keys(row);
      const places = columns.map((_, index) => `$${index + 1}`);
      send(`insert into ${table} (${columns.join()}) values (${places.join()})`, Object.values(row));
    },
    execute: (statement) => send(statement, []),
    written: async () => void (await written),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
