import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import { operate } from "@siteward/testing/servers/operate";
import pg from "pg";
import { readUsage } from "../processes/process-usage.ts";
import type { BenchEngine } from "./bench-engine.ts";
import { createSeededFile } from "./seeded-file.ts";

/** As on a machine of its own. All other settings keep their defaults, so every commit is synced to disk. */
const settings = ["shared_buffers=512MB", "max_wal_size=4GB"];

/** Fills a database once for each number of websites, with the server's own copy command. Each database is a copy of that. */
export async function startPostgresEngine(): Promise<BenchEngine> {
  await using stack = new AsyncDisposableStack();
  const seeded = stack.use(await createSeededFile());
  const cluster = stack.use(await startPostgresCluster({ settings }));
  const owned = stack.move();
  const filled = new Set<string>();
  let copies = 0;
  return {
    name: "postgres",
    createDatabase: async (websiteCount) => {
      const template = `seeded_${websiteCount}`;
      if (!filled.has(template)) {
        seeded.grow(websiteCount);
        await query(cluster.urlOf("postgres"), `create database ${template}`);
        await operate(cluster.urlOf(template), [
          "copy",
          "--from",
          `file:${seeded.file}`,
          "--to",
          cluster.urlOf(template),
        ]);
        // An empty table that was analyzed counts as empty for a minute: creates then read all of it to find a domain.
        if (websiteCount > 0) await query(cluster.urlOf(template), "vacuum (analyze)");
        filled.add(template);
      }
      copies += 1;
      const url = cluster.urlOf(`copy_${copies}`);
      await query(cluster.urlOf("postgres"), `create database copy_${copies} template ${template}`);
      await query(url, "checkpoint");
      return { url, apiKey: seeded.apiKey, websiteCount };
    },
    cpuSeconds: () => readUsage(cluster.processId() ?? 0).cpuSeconds,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Runs a statement on its own connection. */
async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
