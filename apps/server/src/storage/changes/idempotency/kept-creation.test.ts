import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../../test/support/storage/open-test-storage.ts";
import { readInstallation } from "../../../../test/support/storage/read-installation.ts";

const hourMs = 3_600_000;
const request = { idempotency: { key: "k", fingerprint: "f" } };
const full = newWebsite("a.example", {
  exclude_params: Array.from({ length: 100 }, (_, index) => `${index}-${"p".repeat(100)}`),
  exclude_ips: Array.from({ length: 500 }, (_, index) => `2001:db8:${index.toString(16)}::/48`),
  passwordHash: "any hash",
});

describeOnEveryEngine("the outcome of a creation", (engine) => {
  it("takes at most 60 bytes, whatever was created, and gives the record as it was created", async () => {
    await using storage = await openTestStorage(engine);
    const accountId = await createTestAccount(storage);
    const created = await storage.websites.create(accountId, full, request);
    await storage.websites.update(accountId, 1, () => ({ email: 1, exclude_ips: [], passwordHash: null }));
    expect(await storage.websites.create(accountId, full, request)).toEqual({ ...created, isReplay: true });
    expect(await storage.websites.findCreated(accountId, request.idempotency)).toEqual({ ...created, isReplay: true });
    await storage.websites.delete(accountId, 1);
    const { website } = await storage.websites.create(accountId, full, request);
    expect(JSON.stringify(website)).toBe(JSON.stringify(created.website));
    const { idempotencyKeys } = await readInstallation(storage.database.databaseUrl);
    expect(idempotencyKeys).toHaveLength(1);
    expect(idempotencyKeys[0]?.outcome.length).toBeLessThanOrEqual(60);
  });

  it("needs the entry of the creation, which is kept for 24 hours, however short the retention is", async () => {
    let now = 1_000 * hourMs;
    await using storage = await openTestStorage(engine, { now: () => now });
    const accountId = await createTestAccount(storage);
    const sweep = () => storage.retention.deleteExpired(accountId, 1);
    const { website } = await storage.websites.create(accountId, full, request);
    now += 24 * hourMs - 1;
    await sweep();
    expect(await storage.websites.create(accountId, full, request)).toMatchObject({ isReplay: true, website });
    now += 2;
    await sweep();
    const { auditEntries, idempotencyKeys } = await readInstallation(storage.database.databaseUrl);
    expect({ auditEntries, idempotencyKeys }).toEqual({ auditEntries: [], idempotencyKeys: [] });
  });

  it("is deleted before the entry that it needs, if more is expired than a step deletes", async () => {
    let now = 1_000 * hourMs;
    await using storage = await openTestStorage(engine, { now: () => now });
    const accountId = await createTestAccount(storage);
    const keyed = (key: string) => ({ idempotency: { key, fingerprint: "f" } });
    await storage.websites.create(accountId, newWebsite("a.example"), keyed("a"));
    const isTaken = (key: string) => storage.websites.create(accountId, newWebsite("a.example"), keyed(key));
    now -= 1;
    await Promise.allSettled(Array.from({ length: 60 }, (_, index) => isTaken(`taken-${index}`)));
    now += 24 * hourMs + 10;
    for (let mayHaveMore = true; mayHaveMore; ) {
      mayHaveMore = await storage.retention.deleteExpired(accountId, 1);
      const { auditEntries, idempotencyKeys } = await readInstallation(storage.database.databaseUrl);
      const isKept = idempotencyKeys.some(({ key }) => key === "a");
      if (isKept) expect(auditEntries.map(({ action }) => action)).toContain("website.created");
    }
  });

  it("has no `result`, without which a server of an earlier version fails instead of returning half of the record", async () => {
    await using storage = await openTestStorage(engine);
    await storage.websites.create(await createTestAccount(storage), full, request);
    const { idempotencyKeys } = await readInstallation(storage.database.databaseUrl);
    const [outcome] = idempotencyKeys.map((kept) => JSON.parse(kept.outcome));
    expect(Object.keys(outcome)).toEqual(["created"]);
  });

  it("of an earlier version, which contains the record, is read without an entry", async () => {
    await using storage = await openTestStorage(engine, { now: () => 1_700_000_000_000 });
    const accountId = await createTestAccount(storage);
    const created = await storage.websites.create(accountId, full, request);
    const { id, created_at: _, updated_at: __, ...settings } = created.website;
    const outcome = JSON.stringify({ result: { id, at: 1_700_000_000_000, settings } });
    await storage.database.execute(`update idempotency_keys set outcome = '${outcome}'`);
    await storage.database.execute("delete from audit_entries");
    expect(await storage.websites.create(accountId, full, request)).toEqual({ ...created, isReplay: true });
  });
});
