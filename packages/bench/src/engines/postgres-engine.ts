import { runSql } from "@siteward/testing/engines/postgres";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import { operate } from "@siteward/testing/servers/operate";
import { readUsage } from "../processes/process-usage.ts";
import type { BenchEngine } from "./bench-engine.ts";
import { createSeededFile } from "./seeded-file.ts";

/** As on a machine of its own. All other settings keep their defaults, so every commit is synced to disk. */
const settings = ["shared_buffers=512MB", "max_wal_size=4GB"];

/** Fills a database with the server's own copy command. Each database is a copy of that. */
export async function startPostgresEngine(websiteCount: number): Promise<BenchEngine> {
  await using stack = new AsyncDisposableStack();
  const seeded = stack.use(await createSeededFile(websiteCount));
  const cluster = stack.use(await startPostgresCluster({ settings }));
  const [server, template] = [cluster.urlOf("postgres"), cluster.urlOf("seeded")];
  await runSql(server, "create database seeded");
  await operate(template, ["copy", "--from", `file:${seeded.file}`, "--to", template]);
  // An empty table that was analyzed counts as empty for a minute: creates then read all of it to find a domain.
  if (websiteCount > 0) await runSql(template, "vacuum (analyze)");
  const owned = stack.move();
  let copies = 0;
  return {
    name: "postgres",
    createDatabase: async () => {
      copies += 1;
      const url = cluster.urlOf(`copy_${copies}`);
      await runSql(server, `create database copy_${copies} template seeded`);
      await runSql(url, "checkpoint");
      return { url, apiKey: seeded.apiKey, websiteCount };
    },
    cpuSeconds: () => readUsage(cluster.processId() ?? 0).cpuSeconds,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
