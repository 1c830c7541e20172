import { expect, it } from "vitest";
import { describeOnEveryStorage } from "../../../../test/support/storage/describe-on-every-storage.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";

const hourMs = 3_600_000;
const request = { idempotency: { key: "k", fingerprint: "f" } };

describeOnEveryStorage("the outcome for an idempotency key", (open) => {
  it("expires by the clock, even if the newest website is from the future", async () => {
    let now = 9_000 * hourMs;
    await using storage = await open({ now: () => now });
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("future.example"));
    now = 1_000 * hourMs;
    const first = await storage.websites.create(accountId, newWebsite("a.example"), request);
    await storage.websites.delete(accountId, first.website.id);
    now += 24 * hourMs;
    const next = await storage.websites.create(accountId, newWebsite("a.example"), request);
    expect(next).toMatchObject({ isReplay: false, website: { id: 3 } });
  });

  it("is replaced once if many requests of two processes arrive right after it expired", async () => {
    let now = 1_000 * hourMs;
    await using storage = await open({ now: () => now });
    const accountId = await createTestAccount(storage);
    for (let round = 1; round <= 20; round += 1) {
      const creating = Array.from({ length: 8 }, (_, index) =>
        storage.either(index).create(accountId, newWebsite("a.example"), request),
      );
      const created = await Promise.all(creating);
      expect(created.map(({ website }) => website.id)).toEqual(Array(8).fill(round));
      expect(created.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
      await storage.websites.delete(accountId, round);
      now += 24 * hourMs;
    }
  });
});
