import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../test/support/engines.ts";
import { fullLists } from "../../../test/support/full-lists.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { openTwice } from "../../../test/support/storage/open-twice.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import { openWithTestAuthor } from "../../../test/support/storage/with-test-author.ts";

const dayMs = 86_400_000;
const refused = { code: "change_limit_reached", message: expect.stringContaining("limit of 1 MB") };
const keyed = (key: string) => ({ idempotency: { key, fingerprint: "f" } });

describeOnEveryDatabase("an account whose changes have left their limit in the trail", (engine) => {
  it("is the same for all processes", async () => {
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
    expect(count * 0.07).toBeLessThan(4.2);
    const { accounts } = await readInstallation(storage.database.databaseUrl);
    expect(accounts[0]?.trail_bytes).toBeGreaterThanOrEqual(4e6);
    expect(accounts[0]?.trail_bytes).toBeLessThan(4.1e6);
    expect(accounts[0]?.trail_day).toBe(20_000);
    expect(accounts[0]?.version).toBe(1);
  });

  it("is told for its first refusal in a day, and can change again from midnight on", async () => {
    let now = 20_000 * dayMs;
    const told: number[] = [];
    const onTrailLimitReached = (accountId: number) => void told.push(accountId);
    await using storage = await openTestStorage(engine, {
      now: () => now,
      trailLimitMegabytes: 1,
      onTrailLimitReached,
    });
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example"));
    let count = 0;
    const alternate = () => storage.websites.update(accountId, 1, () => fullLists(count)).finally(() => (count += 1));
    for (const expected of [[accountId], [accountId, accountId]]) {
      // Until midnight it was refused.
      await alternate();
      for (let refusals = 0; refusals < 3; refusals += 1)
        await expect(repeat(alternate)).rejects.toMatchObject(refused);
      now += dayMs - 1;
      await expect(alternate()).rejects.toMatchObject(refused);
      expect(told).toEqual(expected);
      now += 1;
    }
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

/** Repeats until it throws. */
async function repeat(attempt: () => Promise<unknown>): Promise<never> {
  for (;;) await attempt();
}
