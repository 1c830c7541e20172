import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type PostgresCluster, startPostgresCluster } from "@siteward/testing/postgres-cluster";
import pg from "pg";

/**
 * Starts a replica that streams from a primary on this machine, from a copy of its files:
 * https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export async function startReplica(primary: PostgresCluster): Promise<PostgresCluster> {
  const client = new pg.Client({ connectionString: primary.urlOf("postgres") });
  await client.connect();
  await client.query("select pg_backup_start('replica', fast => true)");
  const { port } = new URL(primary.urlOf("postgres"));
  const replica = await startPostgresCluster({
    settings: [`primary_conninfo=host=127.0.0.1 port=${port} user=postgres`, "hot_standby=on", "fsync=off"],
    async fill(folder) {
      await cp(primary.folder, folder, { recursive: true });
      await rm(join(folder, "postmaster.pid"), { force: true });
      const { rows } = await client.query("select labelfile from pg_backup_stop(wait_for_archive => false)");
      await writeFile(join(folder, "backup_label"), rows[0]?.labelfile);
      await writeFile(join(folder, "standby.signal"), "");
    },
  });
  await client.end();
  return replica;
}
