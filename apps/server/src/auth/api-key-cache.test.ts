import { describe, expect, test } from "vitest";
import { engines } from "../../test/support/engines.ts";
import { openTestStorage } from "../../test/support/storage/open-test-storage.ts";
import { testAuthor } from "../../test/support/storage/with-test-author.ts";
import { issueApiKey } from "../operator/api-keys.ts";
import { ApiKeyCache } from "./api-key-cache.ts";

describe("the cache of API keys", () => {
  test("knows a valid key until it is read and no longer valid, also while several requests read it", async () => {
    await using ring = await startRing();
    let lookUps = 0;
    const find = () =>
      ring.keys.find(ring.key, (read) => {
        lookUps += 1;
        return read();
      });
    await find();
    ring.clock.nowMs += 2_000;
    expect(await Promise.all([find(), find()])).toMatchObject([{ accountId: 1 }, { accountId: 1 }]);
    await ring.storage.apiKeys.revoke(ring.key.slice(0, 12));
    ring.clock.nowMs += 2_000;
    expect([await find(), lookUps]).toEqual([undefined, 1]);
    expect([await find(), lookUps]).toEqual([undefined, 2]);
  });

  test("forgets a revoked key even if the clock was set back", async () => {
    await using ring = await startRing();
    await ring.keys.find(ring.key);
    await ring.storage.apiKeys.revoke(ring.key.slice(0, 12));
    ring.clock.nowMs -= 3_600_000;
    expect(await ring.keys.find(ring.key)).toBeUndefined();
  });
});

async function startRing() {
  const storage = await openTestStorage(engines.sqlite);
  const { id: accountId } = await storage.accounts.create({ name: "A", email: "a@example.com", websiteLimit: null });
  const clock = { nowMs: Date.now() };
  const { key } = await issueApiKey(storage, { accountId, name: "key" }, testAuthor);
  const keys = new ApiKeyCache(storage.apiKeys, { now: () => clock.nowMs, onWriteError: () => {} });
  return { storage, clock, key, keys, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() };
}
