import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { describeOnEveryStorage } from "../../../../test/support/engines.ts";
import { createTestAccount, openTestStorage } from "../../../../test/support/storage/open-test-storage.ts";
import type { NewApiKey } from "../../storage.ts";

function newKey(accountId: number, prefix: string, change: Partial<NewApiKey> = {}): NewApiKey {
  const hashed = new Uint8Array(hash("sha256", prefix, "buffer"));
  const chosen = { name: "Key", scopes: ["websites:read"], expiresAt: null, rateLimit: null } as const;
  return { accountId, prefix, hash: hashed, ...chosen, ...change };
}

describeOnEveryStorage("API keys", (engine) => {
  it("are found by their hash, and returned as they were created", async () => {
    await using storage = await openTestStorage(engine, { now: () => 1000 });
    const accountId = await createTestAccount(storage);
    const expiring = newKey(accountId, "swk_a", { expiresAt: new Date(5000) });
    const created = await storage.apiKeys.create(expiring);
    expect(created).toEqual({ ...expiring, id: 1, createdAt: new Date(1000), revokedAt: null, lastUsedAt: null });
    expect(await storage.apiKeys.findByHash(expiring.hash)).toEqual(created);
    expect(await storage.apiKeys.findByHash(new Uint8Array(32))).toBeUndefined();
  });

  it("are listed for one account or for all, in order of id", async () => {
    await using storage = await openTestStorage(engine);
    const first = await createTestAccount(storage);
    const second = await createTestAccount(storage);
    for (const key of [newKey(first, "a"), newKey(second, "b"), newKey(first, "c")]) await storage.apiKeys.create(key);
    expect((await storage.apiKeys.list()).map(({ prefix }) => prefix)).toEqual(["a", "b", "c"]);
    expect((await storage.apiKeys.list(first)).map(({ prefix }) => prefix)).toEqual(["a", "c"]);
    expect(await storage.apiKeys.list(9)).toEqual([]);
  });

  it("are not created for an account that does not exist, or with a prefix that is in use", async () => {
    await using storage = await openTestStorage(engine);
    const accountId = await createTestAccount(storage);
    await storage.apiKeys.create(newKey(accountId, "a"));
    expect(await storage.apiKeys.create(newKey(9, "b"))).toBeUndefined();
    expect(await storage.apiKeys.create(newKey(accountId, "a", { hash: new Uint8Array(32) }))).toBeUndefined();
    expect(await storage.apiKeys.list()).toHaveLength(1);
  });

  it("keep the time of their first revocation", async () => {
    let now = 1000;
    await using storage = await openTestStorage(engine, { now: () => now });
    const accountId = await createTestAccount(storage);
    const key = newKey(accountId, "a");
    await storage.apiKeys.create(key);
    expect((await storage.apiKeys.revoke("a"))?.revokedAt).toEqual(new Date(1000));
    now = 2000;
    expect((await storage.apiKeys.revoke("a"))?.revokedAt).toEqual(new Date(1000));
    expect((await storage.apiKeys.findByHash(key.hash))?.revokedAt).toEqual(new Date(1000));
    expect(await storage.apiKeys.revoke("b")).toBeUndefined();
  });

  it("keep the latest time at which they were used", async () => {
    await using storage = await openTestStorage(engine);
    const accountId = await createTestAccount(storage);
    for (const prefix of ["a", "b", "c"]) await storage.apiKeys.create(newKey(accountId, prefix));
    await storage.apiKeys.recordUse(
      new Map([
        [1, new Date(2000)],
        [2, new Date(1000)],
        [99, new Date(1000)],
      ]),
    );
    await storage.apiKeys.recordUse(
      new Map([
        [1, new Date(1000)],
        [2, new Date(3000)],
      ]),
    );
    await storage.apiKeys.recordUse(new Map());
    const used = (await storage.apiKeys.list()).map(({ lastUsedAt }) => lastUsedAt);
    expect(used).toEqual([new Date(2000), new Date(3000), null]);
  });
});
