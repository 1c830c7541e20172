import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineName } from "@siteward/testing/engines/database";
import { runSql } from "@siteward/testing/engines/postgres";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import { operate } from "@siteward/testing/servers/operate";
import { readUsage } from "../processes/process-usage.ts";
import { createSeededFile } from "./seeded-file.ts";

/** Creates databases for servers, and deletes all of them at its end. */
export interface BenchEngine extends AsyncDisposable {
  readonly title: string;
  /** Creates a database with one account that has websites. */
  readonly createDatabase: () => Promise<BenchDatabase>;
  /** Returns how much processor time the engine's own processes have used, in seconds. Undefined if it runs in the server. */
  readonly cpuSeconds: (() => number) | undefined;
}

export interface BenchDatabase {
  readonly url: string;
  /** A key of the account that owns the websites. */
  readonly apiKey: string;
}

export const startEngine = {
  sqlite: startSqliteEngine,
  postgres: startPostgresEngine,
} as const satisfies Record<EngineName, () => Promise<BenchEngine>>;

/** Each database is a copy of one file. */
async function startSqliteEngine(): Promise<BenchEngine> {
  const seeded = await createSeededFile();
  let copies = 0;
  return {
    title: "SQLite",
    createDatabase: async () => {
      copies += 1;
      const file = join(seeded.folder, `copy-${copies}.db`);
      await copyFile(seeded.file, file);
      return { url: `file:${file}`, apiKey: seeded.apiKey };
    },
    cpuSeconds: undefined,
    [Symbol.asyncDispose]: () => seeded[Symbol.asyncDispose](),
  };
}

/** As on a machine of its own. All other settings keep their defaults, so every commit is synced to disk. */
const settings = ["shared_buffers=512MB", "max_wal_size=4GB"];

/** Fills a database with the server's own copy command. Each database is a copy of that. */
async function startPostgresEngine(): Promise<BenchEngine> {
  await using stack = new AsyncDisposableStack();
  const seeded = stack.use(await createSeededFile());
  const cluster = stack.use(await startPostgresCluster({ settings }));
  const [server, template] = [cluster.urlOf("postgres"), cluster.urlOf("seeded")];
  await runSql(server, "create database seeded");
  await operate(template, ["copy", "--from", `file:${seeded.file}`, "--to", template]);
  await runSql(template, "vacuum (analyze)");
  const owned = stack.move();
  let copies = 0;
  return {
    title: "PostgreSQL",
    createDatabase: async () => {
      copies += 1;
      const url = cluster.urlOf(`copy_${copies}`);
      await runSql(server, `create database copy_${copies} template seeded`);
      await runSql(url, "checkpoint");
      return { url, apiKey: seeded.apiKey };
    },
    cpuSeconds: () => readUsage(cluster.processId() ?? 0).cpuSeconds,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
