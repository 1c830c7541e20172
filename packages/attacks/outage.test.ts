import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@siteward/testing/engines/database";
import { createPostgresDatabase } from "@siteward/testing/engines/postgres";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import { createRandom } from "@siteward/testing/random";
import { createAccount } from "@siteward/testing/servers/operate";
import { startServer } from "@siteward/testing/servers/start-server";
import { expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { checkStored } from "./support/client/check-stored.ts";
import { createClientLog } from "./support/client/client-log.ts";
import { createHttpClient, type HttpClient } from "./support/client/http-client.ts";
import { runWriters, writesAgain } from "./support/client/writers.ts";
import { openSmallDisk } from "./support/disk/small-disk.ts";
import { checkOnce, judgeCreate } from "./support/once/judge-creates.ts";
import { type KeyedCreate, runCreates, settleCreates } from "./support/once/keyed-creates.ts";
import { outages } from "./support/outages.ts";
import { percentile } from "./support/percentile.ts";

const random = createRandom(seed);
/** Short timeouts, so that a short outage is noticed. */
const impatience = "pool_timeout=1&statement_timeout=1000";
/** An empty PostgreSQL takes 40 MB, and its write-ahead log two files of 16 MB. */
const diskBytes = 192 * 1024 * 1024;
const settings = ["max_wal_size=32MB", "min_wal_size=32MB"];

test.skipIf(process.platform !== "linux")(
  "if PostgreSQL fails, no acknowledged write is lost, no refused write is stored, and the server recovers by itself",
  async () => {
    using disk = process.getuid?.() === 0 ? openSmallDisk(diskBytes) : undefined;
    await using cluster = await startPostgresCluster({ settings, ...(disk && { place: disk.folder }) });
    await using database = await createPostgresDatabase(cluster.urlOf, "attacked");
    const accounts = [await createAccount(database.url)];
    await using server = await startServer(`${database.url}?${impatience}`);
    using client = createHttpClient(server.url);
    const log = createClientLog();
    const load = { client, accounts, random, log };
    const servedMs: number[] = [];
    const kinds = Object.entries(outages).filter(([kind]) => kind !== "full disk" || disk !== undefined);
    for (let round = 0; round < rounds(kinds.length); round += 1) {
      const [kind, fail] = kinds[round % kinds.length] ?? ["crash", outages.crash];
      let isDone = false;
      const isOver = () => isDone;
      const writing = runWriters({ ...load, writers: 8, name: `outage-${round}`, isDone: isOver });
      const reading = read(client, accounts[0]?.apiKey ?? "", isOver);
      await sleep(random.integer(100, 300));
      await fail({ cluster, database, disk, random });
      isDone = true;
      await Promise.all([writing, reading]);
      const tookMs = await writesAgain({ ...load, name: `after-${round}` });
      expect(tookMs, `A write succeeds after a ${kind}`).toBeDefined();
      servedMs.push(tookMs ?? 0);
      await waitUntilQuiet(database);
      expect(await checkStored({ database, log, url: server.url, accounts }), `After a ${kind}`).toEqual([]);
      expect(await findSkippedIds(database), `IDs skipped after a ${kind}`).toEqual([]);
      expect(server.hasEnded(), server.log().slice(-500)).toBe(false);
    }
    report({
      outages: servedMs.length,
      ...log.counts,
      "served again p99": `${Math.round(percentile(servedMs, 99))} ms`,
    });
  },
);

/** Reads are answered, or refused with the time to retry. */
async function read(client: HttpClient, apiKey: string, isDone: () => boolean): Promise<void> {
  for (; !isDone(); await sleep(20)) {
    const { status, headers } = await client.send("GET", "/api/v1/websites", { apiKey });
    expect([
      [200, undefined],
      [503, "1"],
    ]).toContainEqual([status, headers.get("retry-after")]);
  }
}

/** A create that fails uses up no ID. */
function findSkippedIds(database: Database) {
  const created = "from audit_entries where account_id = accounts.id and action = 'website.created'";
  return database.query(`select id from accounts where last_website_id <> (select count(*) ${created})`);
}

/** A frozen PostgreSQL runs what it had received when it continues, even if no client waits for it. */
async function waitUntilQuiet(database: Database): Promise<void> {
  const busy = "select pid from pg_stat_activity where backend_type = 'client backend' and state <> 'idle'";
  const findBusy = () => database.query(`${busy} and pid <> pg_backend_pid()`);
  await expect.poll(findBusy).toEqual([]);
}

test("a create with an idempotency key that a crash of PostgreSQL cuts off gets its first answer at the retry, or is done once", async () => {
  await using cluster = await startPostgresCluster();
  await using database = await createPostgresDatabase(cluster.urlOf, "attacked");
  const { apiKey } = await createAccount(database.url);
  await using server = await startServer(`${database.url}?${impatience}`, { workers: 2 });
  using client = createHttpClient(server.url);
  const all: KeyedCreate[] = [];
  const counts = { creates: 0, "stored without an answer": 0, "created by a retry": 0 };
  const crashes = rounds(2);
  for (let crash = 0; crash < crashes; crash += 1) {
    let isDone = false;
    const creating = runCreates({ client, apiKey }, { name: `crash-${crash}`, isDone: () => isDone });
    await sleep(random.integer(20, 200));
    await outages.crash({ cluster, database, disk: undefined, random });
    isDone = true;
    const cutOff = await creating;
    await settleCreates({ client, apiKey }, cutOff, counts);
    const others = ["idempotency_in_progress", "unavailable"];
    expect(cutOff.flatMap((create) => judgeCreate(create, "created", others))).toEqual([]);
    all.push(...cutOff);
  }
  expect(await checkOnce(database, all)).toEqual([]);
  report({ crashes, ...counts });
});
