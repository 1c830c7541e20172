import { setTimeout as sleep } from "node:timers/promises";
import { runSql } from "@siteward/testing/engines/postgres";
import { type PostgresCluster, startPostgresCluster } from "@siteward/testing/postgres-cluster";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { startFaultyNetwork } from "../../../test/support/faulty-network.ts";
import { startReplica } from "../../../test/support/postgres-replica.ts";
import { runDoctor } from "../../../test/support/run-doctor.ts";
import { createTestAccount, newWebsite, openWithTestAuthor, type TestStorage } from "../../../test/support/storage.ts";

/** If the machine crashes, what the test wrote may be lost. */
const settings = ["max_wal_senders=4", "fsync=off"];
const byId = { sortBy: "id", sort: "asc", perPage: 10, start: { page: 1 } } as const;

describe("read replicas", () => {
  let primary: PostgresCluster;
  let replica: PostgresCluster;
  const started = new AsyncDisposableStack();

  beforeAll(async () => {
    primary = started.use(await startPostgresCluster({ settings }));
    await (await openOn(primary)).close();
    replica = started.use(await startReplica(primary));
  });

  afterAll(() => started.disposeAsync());

  it("are read by key, by list and by search once they are up to date", async () => {
    const storage = await openOn(primary, replica);
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("shop.example"));
    await catchUp(primary, replica);
    const before = await countReads(replica);
    let reads = 0;
    // On a busy machine, a replica that is late is passed over for a while.
    for (let round = 0; round < 20 || Number(storage.load().replication?.reads) < 30; round += 1) {
      expect((await storage.websites.get(accountId, 1))?.website.domain).toBe("shop.example");
      expect((await storage.websites.list(accountId, byId)).total).toBe(1);
      expect((await storage.websites.list(accountId, { ...byId, search: "shop" })).total).toBe(1);
      reads += 3;
    }
    const { replication } = storage.load();
    await storage.close();
    expect(await countReads(replica)).toBeGreaterThanOrEqual(before + 30);
    expect(replication).toMatchObject({ lagBytes: [expect.any(Number)], readsPassedOver: expect.any(Number) });
    expect(Number(replication?.reads) + Number(replication?.readsPassedOver)).toBe(reads);
  });

  it("never show any process a state from before an acknowledged write", async () => {
    await using writing = await openOn(primary);
    await using reading = await openOn(primary, replica);
    const accountId = await createTestAccount(writing);
    for (let id = 1; id <= 100; id += 1) {
      await writing.websites.create(accountId, newWebsite(`site-${id}.example`));
      expect((await reading.websites.get(accountId, id))?.website.id).toBe(id);
      expect((await reading.websites.list(accountId, byId)).total).toBe(id);
    }
  });

  it("are not read while they lag behind, and are read again once they have caught up", async () => {
    await using storage = await openOn(primary, replica);
    const accountId = await createTestAccount(storage);
    await untilServed(storage, accountId);
    const served = storage.load().replication;
    await query(replica, "select pg_wal_replay_pause()");
    await storage.websites.create(accountId, newWebsite("a.example"));
    expect((await storage.websites.get(accountId, 1))?.website.domain).toBe("a.example");
    expect(storage.load().replication).toEqual({
      lagBytes: [expect.any(Number)],
      reads: served?.reads,
      readsPassedOver: Number(served?.readsPassedOver) + 1,
    });
    expect(storage.load().replication?.lagBytes[0]).toBeGreaterThan(0);
    await query(replica, "select pg_wal_replay_resume()");
    await catchUp(primary, replica);
    await untilServed(storage, accountId);
    expect((await storage.websites.get(accountId, 1))?.website.domain).toBe("a.example");
  });

  it("can crash and restart under load without any client noticing", async () => {
    const faults: unknown[] = [];
    await using storage = await openOn(primary, replica, (error) => faults.push(error));
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example"));
    let isOver = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        expect((await storage.websites.list(accountId, byId)).total).toBe(1);
        expect((await storage.websites.list(accountId, { ...byId, search: "a.ex" })).total).toBe(1);
        await sleep(5);
      }
    });
    await untilServed(storage, accountId);
    await replica.stop("immediate");
    await expect.poll(() => faults.length).toBeGreaterThan(0);
    await replica.start();
    await untilServed(storage, accountId);
    isOver = true;
    await Promise.all(clients);
  });

  it("that hang, before or after they have said their position, do not delay reads for long", async () => {
    await using network = await startFaultyNetwork(replica.urlOf("postgres"));
    const faults: unknown[] = [];
    await using storage = await openOn(primary, { urlOf: () => network.url }, (error) => faults.push(error));
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example"));
    await catchUp(primary, replica);
    network.freezeAt("from websites");
    expect((await storage.websites.get(accountId, 1))?.website.domain).toBe("a.example");
    expect(faults).toHaveLength(1);
    network.freeze(true);
    for (let round = 0; round < 50; round += 1) expect(await storage.websites.get(accountId, 2)).toBeUndefined();
    // Each read that waits for the replica finds it at fault. On a busy machine, 50 reads take longer than it is passed over.
    expect(faults.length).toBeLessThan(25);
    // The primary answers, so the server is ready.
    await storage.ping();
    network.freeze(false);
  });

  it("are judged by doctor: whether they follow, are replicas at all, and answer", async () => {
    const unread = `${replica.urlOf("postgres")},${primary.urlOf("postgres")},postgres://u:secret@127.0.0.1:1/d`;
    const { exitCode, findings } = await runDoctor(primary.urlOf("postgres"), { DATABASE_REPLICA_URLS: unread });
    const found = findings.filter(({ code }) => code === "replicas");
    expect(found.map(({ status, what }) => `${status}: ${what}`)).toEqual([
      expect.stringMatching(/^ok: The replica PostgreSQL database .* follows the database\. It lacked \d+ bytes/),
      expect.stringMatching(/^warning: The replica .* is not read: .*does not replay a log/),
      expect.stringMatching(/^warning: The replica .* is not read: .*ECONNREFUSED/),
    ]);
    expect(JSON.stringify(findings)).not.toContain("secret");
    expect(exitCode).toBe(0);
  });

  it("are refused as the database to write to", async () => {
    await expect(openOn(replica)).rejects.toThrow("The server is a replica, which accepts no writes.");
  });

  it("that are gone although commits wait for them make the outcome of a canceled change unknown", async () => {
    // The database reports such a commit as done, with a warning.
    const databaseUrl = `${primary.urlOf("postgres")}?pool_max_conns=3&statement_timeout=1500`;
    await using storage = await openWithTestAuthor({ databaseUrl });
    const first = await createTestAccount(storage);
    await using _ = await awaitGoneStandby(primary);
    const create = (id: number) => outcomeOf(storage.websites.create(first, newWebsite(`${id}.example`)));
    const { count, change } = await untilOneWaits(primary, create);
    expect(await change).toBe("outcome_unknown");
    const stored = async () => (await storage.websites.get(first, count))?.website.domain;
    await expect.poll(stored).toBe(`${count}.example`);
  });

  it("that are gone make a change unknown whose wait for them an operator ends", async () => {
    const databaseUrl = `${primary.urlOf("postgres")}?statement_timeout=20000`;
    await using storage = await openWithTestAuthor({ databaseUrl });
    const first = await createTestAccount(storage);
    for (const name of ["updated", "deleted"]) await storage.websites.create(first, newWebsite(`${name}.example`));
    const outcomes: string[] = [];
    const note = async (change: Promise<unknown>) => void outcomes.push(await outcomeOf(change));
    await using _ = await awaitGoneStandby(primary);
    const create = (id: number) => note(storage.websites.create(first, newWebsite(`canceled-${id}.example`)));
    const { count } = await untilOneWaits(primary, create);
    // One alone, several together, and the work of a transaction.
    const waiting = [
      ...[1001, 1002, 1003].map(create),
      note(storage.websites.update(first, 1, () => ({ email: 1 }))),
      note(storage.websites.delete(first, 2)),
      note(createTestAccount(storage)),
    ];
    while (outcomes.length < count + waiting.length) {
      await query(primary, "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
      await sleep(100);
    }
    const unknown = outcomes.filter((outcome) => outcome !== "stored");
    expect(unknown).toEqual(Array.from({ length: 1 + waiting.length }, () => "outcome_unknown"));
  });

  // The last one: it ends the primary.
  it("of another installation, or that did not follow a failover, are never read, however far ahead they are", async () => {
    const before = await openOn(primary);
    const accountId = await createTestAccount(before);
    await using next = await startReplica(primary);
    await next.stop("fast");
    for (let id = 1; id <= 50; id += 1) await before.websites.create(accountId, newWebsite(`lost-${id}.example`));
    await query(primary, "select pg_switch_wal()");
    await catchUp(primary, replica);
    await before.close();
    await using other = await engines.postgres({ isMigrated: true });
    await expectNeverRead({ urlOf: () => other.databaseUrl }, replica, "follows another database");
    await primary.stop("immediate");
    await next.start();
    await query(next, "select pg_promote()");
    await expectNeverRead(next, replica, "past a failover");
  });
});

/** Lets commits wait for a replica that is gone, until it is disposed of. */
async function awaitGoneStandby(primary: PostgresCluster): Promise<AsyncDisposable> {
  const alter = async (change: string) => {
    await query(primary, `alter system ${change}`);
    await query(primary, "select pg_reload_conf()");
  };
  await alter("set synchronous_standby_names = 'gone'");
  return { [Symbol.asyncDispose]: () => alter("reset synchronous_standby_names") };
}

function outcomeOf(change: Promise<unknown>): Promise<string> {
  return change.then(
    () => "stored",
    ({ reason }) => reason,
  );
}

async function expectNeverRead(database: Located, replica: Located, reason: string): Promise<void> {
  const faults: unknown[] = [];
  await using storage = await openOn(database, replica, (error) => faults.push(error));
  const accountId = await createTestAccount(storage);
  await storage.websites.create(accountId, newWebsite("a.example"));
  await untilFault(faults, reason, async () => {
    expect((await storage.websites.get(accountId, 1))?.website.domain).toBe("a.example");
  });
}

type Located = Pick<PostgresCluster, "urlOf">;

function openOn(
  primary: Located,
  replica?: Located,
  onReplicaFault: (error: unknown) => void = failUnlessLate,
): Promise<TestStorage> {
  const replicas = replica === undefined ? [] : [{ databaseUrl: replica.urlOf("postgres"), setting: "REPLICAS" }];
  return openWithTestAuthor({ databaseUrl: primary.urlOf("postgres"), replicas, onReplicaFault });
}

/** Reads until a replica fails for the reason. On a busy machine, its first connection may be late before it is compared. */
async function untilFault(faults: readonly unknown[], reason: string, read: () => Promise<void>): Promise<void> {
  do await read();
  while (!String(faults.at(-1)).includes(reason) && (await sleep(100, true)));
}

/** Reads until the replica has answered once more. On a busy machine, it may be late, and is then passed over for a while. */
async function untilServed({ load, websites }: TestStorage, accountId: number): Promise<void> {
  const before = Number(load().replication?.reads);
  do await websites.get(accountId, 1);
  while (load().replication?.reads === before && (await sleep(50, true)));
}

/** Changes until a change waits for a replica. The server notices its setting at some time after it was told to. */
async function untilOneWaits<Outcome>(primary: PostgresCluster, make: (count: number) => Promise<Outcome>) {
  for (let count = 1; ; count += 1) {
    let isMade = false;
    const change = make(count).finally(() => {
      isMade = true;
    });
    const waiting = "select 1 from pg_stat_activity where wait_event = 'SyncRep'";
    await expect.poll(async () => isMade || (await query(primary, waiting)).length > 0).toBe(true);
    if (!isMade) return { count, change };
  }
}

/** On a busy machine, a replica may take longer than a read waits for it. Then the primary answers, which is no fault of a test. */
function failUnlessLate(error: unknown): void {
  if (!/did not answer within \d+ ms/.test(String(error))) expect.fail(`The replica failed: ${String(error)}`);
}

async function catchUp(primary: PostgresCluster, replica: PostgresCluster): Promise<void> {
  const [row] = await query(primary, "select pg_current_wal_flush_lsn() as position");
  const hasReached = `select pg_last_wal_replay_lsn() >= '${row?.["position"]}' as "hasReached"`;
  while ((await query(replica, hasReached))[0]?.["hasReached"] !== true) await sleep(10);
}

/**
 * Returns how many scans of websites the server has counted. It counts those of a session when the session ends, if not
 * before.
 */
async function countReads(cluster: PostgresCluster): Promise<number> {
  await sleep(200);
  const [row] = await query(
    cluster,
    "select sum(idx_scan + seq_scan)::int as reads from pg_stat_user_tables where relname = 'websites'",
  );
  return Number(row?.["reads"]);
}

function query(cluster: PostgresCluster, statement: string): Promise<Record<string, unknown>[]> {
  return runSql(cluster.urlOf("postgres"), statement);
}
