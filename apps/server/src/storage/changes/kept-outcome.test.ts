import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import { accountId, newWebsite, openTestAccount } from "../../../test/support/storage.ts";

const hourMs = 3_600_000;

describeOnEveryEngine("the outcome for an idempotency key", (engine) => {
  it("is deleted before the entry that it needs, if more is expired than a step deletes", async () => {
    let now = 1_000 * hourMs;
    await using storage = await openTestAccount(engine, { now: () => now });
    const create = (key: string) =>
      storage.websites.create(accountId, newWebsite("a.example"), { idempotency: { key, fingerprint: "f" } });
    await create("a");
    now -= 1;
    await Promise.allSettled(Array.from({ length: 60 }, (_, index) => create(`taken-${index}`)));
    now += 24 * hourMs - 1;
    expect(await storage.retention.deleteExpired(accountId, 1)).toBe(false);
    expect((await readInstallation(storage.database.databaseUrl)).auditEntries).toHaveLength(2);
    now += 11;
    for (let mayHaveMore = true; mayHaveMore; ) {
      mayHaveMore = await storage.retention.deleteExpired(accountId, 1);
      const { auditEntries, idempotencyKeys } = await readInstallation(storage.database.databaseUrl);
      const isKept = idempotencyKeys.some(({ key }) => key === "a");
      if (isKept) expect(auditEntries.map(({ action }) => action)).toContain("website.created");
    }
  });
});
