import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { testAuthor } from "../../../test/support/storage/with-test-author.ts";

describeOnEveryEngine("the deletion of an account", (engine) => {
  it("keeps it for as long as servers may accept its keys, and deletes what they add meanwhile", async () => {
    // The clock stands, so the wait is as long on a busy machine.
    await using storage = await openTestStorage(engine, { now: () => 1_000_000 });
    const accountId = await createTestAccount(storage);
    const settings = { name: "Key", scopes: [], expiresAt: null, rateLimit: null };
    await storage.apiKeys.create({ ...settings, accountId, prefix: "swk_12345678", hash: new Uint8Array(32) });
    const add = () => storage.websites.create(accountId, newWebsite("late.example"));
    const onWait = () => void sleep(100).then(add);
    const deleted = await storage.accounts.delete(accountId, { by: testAuthor, revocationMs: 1_000, onWait });
    expect(deleted).toMatchObject({ websites: 1, api_keys: 1 });
    expect(await storage.accounts.get(accountId)).toBeUndefined();
  });
});
