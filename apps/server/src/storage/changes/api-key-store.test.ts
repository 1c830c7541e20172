import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../test/support/engines.ts";
import { createTestAccount, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { readAuditEntries } from "../../../test/support/storage/read-audit-entries.ts";
import type { NewApiKey, RotatedApiKey } from "../interface/storage.ts";

function newKey(accountId: number, prefix: string, change: Partial<NewApiKey> = {}): NewApiKey {
  const hashed = new Uint8Array(hash("sha256", prefix, "buffer"));
  const chosen = { name: "Key", scopes: ["websites:read"], expiresAt: null, rateLimit: null } as const;
  return { accountId, prefix, hash: hashed, ...chosen, ...change };
}

describeOnEveryDatabase("API keys", (engine) => {
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

  it("stay as they are if a rotation fails", async () => {
    await using storage = await openTestStorage(engine);
    const accountId = await createTestAccount(storage);
    const created = await storage.apiKeys.create(newKey(accountId, "a"));
    const other = await storage.apiKeys.create(newKey(accountId, "b"));
    const takePrefix = () => ({
      next: { ...newKey(accountId, "b"), hash: new Uint8Array(32) },
      expiresAt: new Date(0),
    });
    await expect(storage.apiKeys.rotate("a", takePrefix)).rejects.toThrow("The new key has the prefix of another one.");
    await expect(storage.apiKeys.rotate("a", refuse)).rejects.toThrow("No.");
    expect(await storage.apiKeys.rotate("c", refuse)).toBeUndefined();
    expect(await storage.apiKeys.list()).toEqual([created, other]);
  });

  it("are in the audit trail with each change, but never their hash", async () => {
    let now = 1000;
    await using storage = await openTestStorage(engine, { now: () => now });
    const accountId = await createTestAccount(storage);
    const by = { apiKey: null, operator: "Jürgen", requestId: null };
    await storage.apiKeys.create(newKey(accountId, "a", { expiresAt: new Date(9000) }), by);
    now = 2000;
    await storage.apiKeys.update("a", () => ({ name: "Key" }), by);
    await storage.apiKeys.update("a", () => ({ name: "New", scopes: ["account:read"], rateLimit: 9 }), by);
    now = 3000;
    await storage.apiKeys.rotate("a", () => ({ next: newKey(accountId, "b"), expiresAt: new Date(4000) }), by);
    now = 3500;
    await storage.apiKeys.revoke("a", by);
    await storage.apiKeys.revoke("a", by);
    await storage.apiKeys.recordUse(new Map([[2, new Date(3600)]]));
    const expiry = "1970-01-01T00:00:09.000Z";
    const created = {
      name: { from: null, to: "Key" },
      scopes: { from: null, to: ["websites:read"] },
      expires_at: { from: null, to: expiry },
    };
    const renamed = { name: { from: null, to: "New" }, scopes: { from: null, to: ["account:read"] } };
    const changes = [
      [1, 1, "api_key.created", 1000, { ...created, prefix: { from: null, to: "a" } }],
      [
        1,
        2,
        "api_key.updated",
        2000,
        {
          name: { from: "Key", to: "New" },
          scopes: { added: ["account:read"], removed: ["websites:read"] },
          rate_limit: { from: null, to: 9 },
        },
      ],
      [
        1,
        3,
        "api_key.rotated",
        3000,
        { expires_at: { from: expiry, to: "1970-01-01T00:00:04.000Z" }, replaced_by: { from: null, to: "b" } },
      ],
      [
        2,
        1,
        "api_key.created",
        3000,
        { ...renamed, prefix: { from: null, to: "b" }, rate_limit: { from: null, to: 9 } },
      ],
      [1, 4, "api_key.revoked", 3500, { revoked_at: { from: null, to: "1970-01-01T00:00:03.500Z" } }],
    ] as const;
    const entry = { account_id: accountId, subject: "api_key", api_key: null, operator: "Jürgen", request_id: null };
    const entries = await readAuditEntries(storage.database.databaseUrl);
    expect(entries.filter(({ subject }) => subject === "api_key")).toEqual(
      changes.map(([id, version, action, at, change]) => ({
        ...entry,
        subject_id: id,
        version,
        action,
        at,
        changes: change,
      })),
    );
  });
});

function refuse(): never {
  throw new Error("No.");
}
