import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { createTestAccount, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import type { NewApiKey, RotatedApiKey } from "../interface/storage.ts";

function newKey(accountId: number, prefix: string, change: Partial<NewApiKey> = {}): NewApiKey {
  const hashed = new Uint8Array(hash("sha256", prefix, "buffer"));
  const chosen = { name: "Key", scopes: ["websites:read"], expiresAt: null, rateLimit: null } as const;
  return { accountId, prefix, hash: hashed, ...chosen, ...change };
}

describeOnEveryEngine("API keys", (engine) => {
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
    for (const [first, second] of [[2000, 1000] as const, [1000, 3000] as const]) {
      const used = [first, second, second].map((time, index) => [[1, 2, 99][index] ?? 0, new Date(time)] as const);
      await storage.apiKeys.recordUse(new Map(used));
    }
    const used = (await storage.apiKeys.list()).map(({ lastUsedAt }) => lastUsedAt);
    expect(used).toEqual([new Date(2000), new Date(3000), null]);
  });

  it("are rotated: a new key with the same settings, and the old one expires, but never later than it would have", async () => {
    await using storage = await openTestStorage(engine, { now: () => 1000 });
    const accountId = await createTestAccount(storage);
    const created = await storage.apiKeys.create(newKey(accountId, "a", { expiresAt: new Date(5000), rateLimit: 7 }));
    const next = (prefix: string) => ({ ...newKey(accountId, prefix), expiresAt: new Date(9000) });
    const rotate = async (old: string, prefix: string, expiresAt: Date) =>
      // The cast is safe: the old key exists, and the new prefix is not in use.
      (await storage.apiKeys.rotate(old, () => ({ next: next(prefix), expiresAt }))) as RotatedApiKey;
    const rotated = await rotate("a", "b", new Date(3000));
    const { hash } = next("b");
    expect(rotated.next).toEqual({ ...Object(created), id: 2, prefix: "b", hash, expiresAt: new Date(9000) });
    expect(rotated.old).toEqual({ ...Object(created), expiresAt: new Date(3000) });
    expect(await storage.apiKeys.list()).toEqual([rotated.old, rotated.next]);
    expect(await storage.apiKeys.findByHash(hash)).toEqual(rotated.next);
    expect((await rotate("a", "c", new Date(4000))).old.expiresAt).toEqual(new Date(3000));
  });
});
