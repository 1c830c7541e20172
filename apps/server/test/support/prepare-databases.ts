import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openStorage } from "../../src/storage/open-storage.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A database on the PostgreSQL server on which tests create databases of their own. */
    postgresUrl: string;
    /** The name of a migrated database there, which tests copy. */
    postgresTemplate: string;
    /** The path of a migrated database of SQLite, which tests copy. */
    sqliteTemplate: string;
  }
}

/** If the machine crashes, what tests wrote may be lost. */
const settings = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=300",
  "shared_buffers=64MB",
];

/** Its files took 156 MB, and its write-ahead log may grow to 1 GB. Containers often have only 64 MiB of such memory. */
const minMemoryBytes = 4e9;

/** Starts one PostgreSQL server for all tests, unless `TEST_SITEWARD_POSTGRES_URL` names one, and migrates the templates. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const resources = new AsyncDisposableStack();
  const url = await findPostgres(resources);
  project.provide("postgresUrl", url);
  project.provide("postgresTemplate", await createPostgresTemplate(url, resources));
  project.provide("sqliteTemplate", await createSqliteTemplate(resources));
  return () => resources.disposeAsync();
}

async function findPostgres(resources: AsyncDisposableStack): Promise<string> {
  const named = process.env["TEST_SITEWARD_POSTGRES_URL"];
  if (named !== undefined && named !== "") return named;
  const place = await findMemory(resources);
  return resources.use(await startPostgresCluster({ settings, ...(place && { place }) })).urlOf("postgres");
}

/**
 * Creates a folder in memory, if the system has enough of it. To create a database there takes 24 instead of 121 ms, and a third
 * of the processor time, since a database of PostgreSQL is 300 files.
 */
async function findMemory(resources: AsyncDisposableStack): Promise<string | undefined> {
  // `pnpm test` names a folder of its own, which it removes.
  const memory = process.env["TEST_SITEWARD_MEMORY"] ?? "/dev/shm";
  const space = await statfs(memory).catch(() => undefined);
  if (space === undefined || space.bavail * space.bsize < minMemoryBytes) return undefined;
  const place = await mkdtemp(join(memory, "siteward-postgres-"));
  resources.defer(() => rm(place, { recursive: true, force: true }));
  // The user that runs PostgreSQL is another one if the tests run as root.
  await chmod(place, 0o755);
  return place;
}

async function createPostgresTemplate(server: string, resources: AsyncDisposableStack): Promise<string> {
  const name = `siteward_template_${randomBytes(8).toString("hex")}`;
  await runOnPostgres(server, `create database ${name}`);
  resources.defer(() => runOnPostgres(server, `drop database ${name}`));
  await migrate(Object.assign(new URL(server), { pathname: `/${name}` }).href);
  return name;
}

async function createSqliteTemplate(resources: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "siteward-template-"));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "template.db");
  await migrate(`file:${path}`);
  return path;
}

async function migrate(databaseUrl: string): Promise<void> {
  const storage = await openStorage({ databaseUrl });
  await storage.close();
}

async function runOnPostgres(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
