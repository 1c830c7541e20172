import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { fullLists } from "../../../test/support/full-lists.ts";
import { accountId, newWebsite, openTestAccount, openWithTestAuthor } from "../../../test/support/storage.ts";

const dayMs = 86_400_000;
const refused = { code: "change_limit_reached", message: expect.stringContaining("limit of 1 MB") };
const keyed = (key: string) => ({ idempotency: { key, fingerprint: "f" } });

describeOnEveryEngine("an account whose changes have left their limit in the trail", (engine) => {
  it("can change again from midnight on, or with a higher limit", async () => {
    let now = 20_000 * dayMs;
    await using storage = await openTestAccount(engine, { now: () => now, trailLimitMegabytes: 1 });
    await storage.websites.create(accountId, newWebsite("a.example"));
    let count = 0;
    const alternate = () => storage.websites.update(accountId, 1, () => fullLists(count)).finally(() => (count += 1));
    for (let day = 0; day < 2; day += 1) {
      // Until midnight it was refused, and so was every create.
      const again = storage.websites.create(accountId, newWebsite("a.example"));
      await expect(again).rejects.toMatchObject({ code: "domain_taken" });
      for (let first = 0; first < 3; first += 1) await alternate();
      const untilRefused = async () => {
        for (;;) await alternate();
      };
      await expect(untilRefused()).rejects.toMatchObject(refused);
      now += dayMs - 1;
      await expect(alternate()).rejects.toMatchObject(refused);
      const { databaseUrl } = storage.database;
      const raised = await openWithTestAuthor({ databaseUrl, now: () => now, trailLimitMegabytes: 4 });
      await raised.websites.update(accountId, 1, () => fullLists(-1));
      await raised.close();
      now += 1;
    }
  });

  it("is also counted by what refused creates leave for their idempotency keys", async () => {
    await using storage = await openTestAccount(engine, { now: () => 20_000 * dayMs, trailLimitMegabytes: 1 });
    const { websites } = storage;
    const taken = newWebsite("a.example");
    await websites.create(accountId, taken);
    const refuse = async (from: number, to: number) => {
      for (let start = from; start < to; start += 100) {
        const keys = Array.from({ length: 100 }, (_, index) => `${start + index}`.padEnd(255, "k"));
        await Promise.allSettled(keys.map((key) => websites.create(accountId, taken, keyed(key))));
      }
    };
    await refuse(0, 1_000);
    await expect(websites.create(accountId, newWebsite("b.example"))).resolves.toMatchObject({ isReplay: false });
    await refuse(1_000, 1_500);
    await expect(websites.create(accountId, newWebsite("c.example"))).rejects.toMatchObject(refused);
    // What was refused before keeps its answer.
    const replayed = websites.create(accountId, taken, keyed("7".padEnd(255, "k")));
    await expect(replayed).rejects.toMatchObject({ facts: { isReplayed: true } });
  });
});
