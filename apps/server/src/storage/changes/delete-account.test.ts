import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import { type TestStorage, testAuthor } from "../../../test/support/storage/with-test-author.ts";

/** Stops once everything but the account and its keys is deleted. */
const interrupted = {
  revocationMs: 60_000,
  onWait() {
    throw new Error("Stopped.");
  },
};

describeOnEveryEngine("the deletion of an account", (engine) => {
  it("deletes everything of the account, and nothing of others", async () => {
    await using storage = await openTestStorage(engine);
    await fillAccount(storage, { websites: 3, keys: 2 });
    await fillAccount(storage, { websites: 450, keys: 60 });
    await fillAccount(storage, { websites: 5, keys: 1 });
    const before = await readInstallation(storage.database.databaseUrl);
    const trail = before.auditEntries.filter((row) => row.account_id === 2).length;
    expect(await storage.accounts.delete(2)).toEqual({
      websites: 450,
      idempotency_keys: 450,
      // Each key is revoked first.
      audit_entries: trail + 60,
      api_keys: 60,
    });
    const after = await readInstallation(storage.database.databaseUrl);
    const isOfOthers = (row: { readonly account_id: number }) => row.account_id !== 2;
    expect(after).toEqual({
      accounts: before.accounts.filter(({ id }) => id !== 2),
      apiKeys: before.apiKeys.filter(isOfOthers),
      websites: before.websites.filter(isOfOthers),
      auditEntries: before.auditEntries.filter(isOfOthers),
      idempotencyKeys: before.idempotencyKeys.filter(isOfOthers),
      accountDeletions: [{ account_id: 2, last_api_key_id: 62, began_at: expect.any(Number) }],
      versions: before.versions,
    });
    expect(await storage.database.findFaults()).toEqual([]);
    expect(await storage.accounts.delete(2)).toBeUndefined();
  });

  it("gives the account no more keys once it began, and never uses its id and those of its keys again", async () => {
    await using storage = await openTestStorage(engine);
    await fillAccount(storage, { websites: 1, keys: 0 });
    await fillAccount(storage, { websites: 1, keys: 3 });
    await expect(storage.accounts.delete(2, interrupted)).rejects.toThrow("Stopped.");
    expect(await storage.apiKeys.create(newKey(2, "late"))).toBeUndefined();
    const rotation = { next: newKey(2, "late"), expiresAt: new Date() };
    expect(await storage.apiKeys.rotate("2-0", () => rotation)).toBeUndefined();
    await storage.accounts.delete(2);
    expect(await createTestAccount(storage)).toBe(3);
    expect(await storage.apiKeys.create(newKey(1, "next"))).toMatchObject({ id: 4 });
  });
});

/** On Citus, 450 creates of an account take more than the two seconds for which a change waits for a connection. */
const maxAtOnce = 150;

async function fillAccount(
  storage: TestStorage,
  { websites, keys }: { websites: number; keys: number },
): Promise<void> {
  const accountId = await createTestAccount(storage);
  for (let number = 0; number < keys; number += 1)
    await storage.apiKeys.create(newKey(accountId, `${accountId}-${number}`));
  const create = (number: number) => {
    const website = newWebsite(`site-${accountId}-${String(number).padStart(3, "0")}.example`);
    return storage.websites.create(accountId, website, idempotent(`key-${number}`));
  };
  for (let first = 0; first < websites; first += maxAtOnce) {
    const count = Math.min(maxAtOnce, websites - first);
    await Promise.all(Array.from({ length: count }, (_, number) => create(first + number)));
  }
}

function idempotent(key: string) {
  return { by: testAuthor, idempotency: { key, fingerprint: key } };
}

function newKey(accountId: number, prefix: string) {
  const hashed = new Uint8Array(hash("sha256", prefix, "buffer"));
  return { accountId, prefix, hash: hashed, name: "Key", scopes: [], expiresAt: null, rateLimit: null };
}
