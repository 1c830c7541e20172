import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@siteward/testing/engines/database";
import { connectPostgres } from "@siteward/testing/engines/postgres";
import type { PostgresCluster } from "@siteward/testing/postgres-cluster";
import { readDescendantIds } from "@siteward/testing/process-tree";
import type { Random } from "@siteward/testing/random";
import type { Client } from "pg";
import type { SmallDisk } from "./disk/small-disk.ts";
import { patienceMs } from "./patience.ts";

/** A PostgreSQL server that can be made to fail. */
interface Target {
  readonly cluster: PostgresCluster;
  readonly database: Database;
  readonly disk: SmallDisk | undefined;
  readonly random: Random;
}

/** Makes PostgreSQL fail, and recovers it. */
type Outage = (target: Target) => Promise<void>;

/** All the ways to fail, in the order in which rounds use them. */
export const outages = {
  /** The same as `kill -9` of all its processes, followed by a moment in which nothing listens. */
  crash: (target) => restart(target, "immediate"),
  /** PostgreSQL answers nothing and closes no connection. */
  freeze: async ({ cluster, random }) => {
    const postmaster = cluster.processId();
    if (postmaster === undefined) throw new Error("PostgreSQL does not run.");
    const all = [postmaster, ...readDescendantIds(postmaster)];
    signal(all, "SIGSTOP");
    await sleep(random.integer(1_100, 2_200));
    signal(all, "SIGCONT");
  },
  /** Tables cannot grow. If the write-ahead log cannot grow either, PostgreSQL exits. */
  "full disk": async ({ cluster, database, disk, random }) => {
    if (disk === undefined) return;
    const client = await connectPostgres(database.url);
    disk.fill(0);
    await sleep(random.integer(300, 800));
    if (random.chance(0.5)) await useUpLog(client);
    disk.free();
    await client.end();
    await untilItAnswers(cluster, database);
  },
  /** An orderly shutdown, as for an update. */
  restart: (target) => restart(target, "fast"),
} as const satisfies Record<string, Outage>;

async function restart({ cluster, random }: Target, mode: "immediate" | "fast"): Promise<void> {
  await cluster.stop(mode);
  await sleep(random.integer(0, 400));
  await cluster.start();
}

/** Starts new files of the write-ahead log until the disk has no space for another one. */
async function useUpLog(client: Client): Promise<void> {
  try {
    for (let count = 0; count < 10; count += 1) {
      await client.query("select pg_logical_emit_message(true, 'attack', 'fills the log')");
      await client.query("select pg_switch_wal()");
    }
  } catch {
    // The disk is full.
  }
}

/** Waits until PostgreSQL answers. If it could not restart on the full disk, it has exited, so this starts it. */
async function untilItAnswers(cluster: PostgresCluster, database: Database): Promise<void> {
  for (const endMs = Date.now() + patienceMs; ; await sleep(50)) {
    try {
      if (cluster.processId() === undefined) await cluster.start();
      await database.query("select 1");
      return;
    } catch (error) {
      if (Date.now() > endMs) throw error;
    }
  }
}

function signal(processIds: readonly number[], name: NodeJS.Signals): void {
  for (const id of processIds) {
    try {
      process.kill(id, name);
    } catch {
      // It has exited in the meantime.
    }
  }
}
