import { outcomeUnknown } from "@siteward/service";
import { describe, expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../../test/support/engines.ts";
import { fullLists } from "../../../../test/support/full-lists.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../../test/support/storage/open-test-storage.ts";
import { openTwice } from "../../../../test/support/storage/open-twice.ts";
import { readInstallation } from "../../../../test/support/storage/read-installation.ts";
import { openWithTestAuthor } from "../../../../test/support/storage/with-test-author.ts";
import type { TrailBytes } from "./add-trail-bytes.ts";
import { TrailLimit } from "./trail-limit.ts";

const dayMs = 86_400_000;
const refused = { code: "change_limit_reached", message: expect.stringContaining("limit of 1 MB") };
const keyed = (key: string) => ({ idempotency: { key, fingerprint: "f" } });

describeOnEveryDatabase("an account whose changes have left their limit in the trail", (engine) => {
  it("changes nothing more until midnight, and others do", async () => {
    let now = 20_000 * dayMs;
    await using storage = await openTestStorage(engine, { now: () => now, trailLimitMegabytes: 1 });
    const [accountId, other] = [await createTestAccount(storage), await createTestAccount(storage)];
    const { websites } = storage;
    await websites.create(accountId, newWebsite("a.example"), keyed("first"));
    let count = 0;
    const alternate = () => websites.update(accountId, 1, () => fullLists(count));
    await expect(repeat(() => alternate().finally(() => (count += 1)))).rejects.toMatchObject(refused);
    expect(count).toBeGreaterThan(10);
    expect(count).toBeLessThan(20);
    await expect(websites.create(accountId, newWebsite("b.example"), keyed("b"))).rejects.toMatchObject(refused);
    await expect(websites.update(accountId, 1, () => ({ email: 1 }))).rejects.toMatchObject(refused);
    await websites.create(other, newWebsite("b.example"));
    // A change that alters nothing, and a create that was answered before.
    expect(await websites.update(accountId, 1, () => ({ email: 0 }))).toMatchObject({ website: { email: 0 } });
    const replayed = await websites.create(accountId, newWebsite("a.example"), keyed("first"));
    expect(replayed).toMatchObject({ isReplay: true, website: { id: 1, exclude_ips: [] } });
    now += dayMs - 1;
    await expect(alternate()).rejects.toMatchObject(refused);
    now += 1;
    expect(await websites.create(accountId, newWebsite("b.example"), keyed("b"))).toMatchObject({ isReplay: false });
  });

  it("can still delete, until that has left half as much again", async () => {
    await using storage = await openTestStorage(engine, { now: () => 20_000 * dayMs, trailLimitMegabytes: 1 });
    const accountId = await createTestAccount(storage);
    const { websites } = storage;
    let created = 0;
    const create = () => websites.create(accountId, newWebsite(`${created}.example`, fullLists(created)));
    await expect(repeat(() => create().then(() => (created += 1)))).rejects.toMatchObject(refused);
    let deleted = 0;
    const remove = () => websites.delete(accountId, deleted + 1);
    await expect(repeat(() => remove().then(() => (deleted += 1)))).rejects.toMatchObject({
      code: "change_limit_reached",
      message: expect.stringContaining("and its deletions their limit"),
    });
    expect(deleted / created).toBeGreaterThan(0.4);
    expect(deleted / created).toBeLessThan(0.7);
  });

  it("is the same for all processes, each of which learns it after a megabyte", async () => {
    await using storage = await openTwice(engine, { now: () => 20_000 * dayMs, trailLimitMegabytes: 4 });
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example"));
    let count = 0;
    const alternate = () => storage.either(count).update(accountId, 1, () => fullLists(count));
    await expect(repeat(() => alternate().then(() => (count += 1)))).rejects.toMatchObject({
      code: "change_limit_reached",
    });
    // 70 kB each.
    expect(count * 0.07).toBeGreaterThan(3.5);
    expect(count * 0.07).toBeLessThan(6.2);
    const { accounts } = await readInstallation(storage.database.databaseUrl);
    expect(accounts[0]?.trail_bytes).toBeGreaterThan(3e6);
    expect(accounts[0]?.trail_day).toBe(20_000);
    expect(accounts[0]?.version).toBe(1);
  });

  it("can change more as soon as a process with a higher limit has started", async () => {
    const now = () => 20_000 * dayMs;
    await using storage = await openTestStorage(engine, { now, trailLimitMegabytes: 1 });
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example"));
    let count = 0;
    const alternate = ({ websites }: Pick<typeof storage, "websites">) =>
      websites.update(accountId, 1, () => fullLists(count)).finally(() => (count += 1));
    await expect(repeat(() => alternate(storage))).rejects.toMatchObject(refused);
    const { databaseUrl } = storage.database;
    const restarted = await openWithTestAuthor({ databaseUrl, now, trailLimitMegabytes: 4 });
    // 70 kB each.
    for (let more = 0; more < 25; more += 1) await alternate(restarted);
    await restarted.close();
  });

  it("is also counted by what refused creates leave for their idempotency keys", async () => {
    await using storage = await openTestStorage(engine, { now: () => 20_000 * dayMs, trailLimitMegabytes: 1 });
    const accountId = await createTestAccount(storage);
    const { websites } = storage;
    const taken = newWebsite("a.example");
    await websites.create(accountId, taken);
    for (let start = 0; start < 1_000; start += 100) {
      const keys = Array.from({ length: 100 }, (_, index) => `${start + index}`.padEnd(255, "k"));
      await Promise.allSettled(keys.map((key) => websites.create(accountId, taken, keyed(key))));
    }
    await expect(websites.create(accountId, newWebsite("b.example"))).resolves.toMatchObject({ isReplay: false });
    for (let start = 1_000; start < 1_500; start += 100) {
      const keys = Array.from({ length: 100 }, (_, index) => `${start + index}`.padEnd(255, "k"));
      await Promise.allSettled(keys.map((key) => websites.create(accountId, taken, keyed(key))));
    }
    await expect(websites.create(accountId, newWebsite("c.example"))).rejects.toMatchObject(refused);
    // What was refused before keeps its answer.
    const replayed = websites.create(accountId, taken, keyed("7".padEnd(255, "k")));
    await expect(replayed).rejects.toMatchObject({ facts: { isReplayed: true } });
  });
});

describe("the limit of what changes leave in the trail", () => {
  const build = (add: () => Promise<number>, now = () => 0, megabytes = 10) => new TrailLimit({ megabytes, now, add });

  it("writes nothing for an account until it has left a megabyte", async () => {
    const reports: number[] = [];
    const add = async () => reports.push(1);
    const limit = build(add);
    for (let account = 1; account <= 1_000; account += 1) {
      for (let change = 0; change < 10; change += 1) {
        await limit.requireRoom(account);
        limit.count(account, 99_999);
      }
    }
    expect(reports).toHaveLength(0);
    limit.count(1, 10);
    await Promise.all([limit.requireRoom(1), limit.requireRoom(1), limit.requireRoom(1)]);
    expect(reports).toHaveLength(1);
    await limit.requireRoom(1);
    expect(reports).toHaveLength(1);
  });

  it("counts again what it could not report, and refuses the change with the reason", async () => {
    let isBroken = true;
    const totals: number[] = [];
    const limit = new TrailLimit({
      megabytes: 10,
      now: () => 0,
      async add({ bytes }) {
        if (isBroken) throw new Error("The database is gone.");
        totals.push(bytes);
        return bytes;
      },
    });
    limit.count(1, 1.5e6);
    await expect(requireRoom(limit)).rejects.toThrow("The database is gone.");
    isBroken = false;
    limit.count(1, 1);
    await limit.requireRoom(1);
    expect(totals).toEqual([1_500_001]);
  });

  it("says that nothing was changed if it is unknown whether the report was stored", async () => {
    const limit = build(() => Promise.reject(outcomeUnknown(new Error("The connection was lost."))));
    limit.count(1, 1e6);
    await expect(requireRoom(limit)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("reports again after a report that failed at once", async () => {
    let isBroken = true;
    const limit = build(() => {
      if (isBroken) throw new Error("The thread has ended.");
      return Promise.resolve(1e6);
    });
    limit.count(1, 1e6);
    await expect(requireRoom(limit)).rejects.toThrow("The thread has ended.");
    isBroken = false;
    await expect(requireRoom(limit)).resolves.toBeUndefined();
  });

  it("tells the first refusal of an account in a day", async () => {
    let now = 0;
    const told: number[] = [];
    const add = async ({ bytes }: TrailBytes) => bytes;
    const limit = new TrailLimit({ megabytes: 1, now: () => now, add, onReached: (account) => told.push(account) });
    for (const account of [1, 2]) limit.count(account, 1e6);
    for (let count = 0; count < 3; count += 1) await expect(requireRoom(limit)).rejects.toThrow();
    expect(told).toEqual([1]);
    now += dayMs;
    await requireRoom(limit);
    limit.count(1, 1e6);
    await expect(requireRoom(limit)).rejects.toThrow();
    expect(told).toEqual([1, 1]);
  });

  it("does not forget what it has counted if another machine begins the count of another day", async () => {
    const limit = build(async () => 1e6);
    for (let count = 0; count < 10; count += 1) {
      await limit.requireRoom(1);
      limit.count(1, 1e6);
    }
    await expect(requireRoom(limit)).rejects.toMatchObject({ code: "change_limit_reached" });
  });

  it("remembers at most 100,000 accounts, and those that change last", async () => {
    const limit = build(async () => 0);
    limit.count(1, 10e6);
    for (let account = 2; account <= 150_000; account += 1) {
      limit.count(account, 1);
      if (account % 50_000 === 0) await expect(requireRoom(limit)).rejects.toThrow();
    }
    expect(limit.size).toBe(100_000);
  });

  it("counts nothing without a limit", async () => {
    const limit = build(
      () => Promise.reject(new Error("Never.")),
      () => 0,
      0,
    );
    limit.count(1, 1e12);
    await limit.requireRoom(1);
    expect(limit.size).toBe(0);
  });
});

/** Repeats until it throws. */
async function repeat(attempt: () => Promise<unknown>): Promise<never> {
  for (;;) await attempt();
}

/** Also rejects if it throws at once. */
async function requireRoom(limit: TrailLimit): Promise<void> {
  await limit.requireRoom(1);
}
