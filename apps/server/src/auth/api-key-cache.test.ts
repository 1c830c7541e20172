import { describe, expect, test, vi } from "vitest";
import { engines } from "../../test/support/engines.ts";
import { openTestStorage, testAuthor } from "../../test/support/storage.ts";
import { issueApiKeys } from "../operator/api-keys.ts";
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

  test("sends the last use of a key once in five minutes, and again if it was not stored", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await using ring = await startRing({ failures: 1 });
    const startMs = ring.clock.nowMs;
    const use = async (afterMs: number) => {
      ring.clock.nowMs = startMs + afterMs;
      await ring.keys.find(ring.key);
      await vi.advanceTimersByTimeAsync(30_000);
    };
    await use(0);
    await ring.keys.close();
    await use(299_999);
    await use(300_000);
    vi.useRealTimers();
    expect(ring.sent).toEqual([startMs, startMs, startMs + 300_000]);
  });

  test("sends a use that is noted while another is written, after the same time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { promise: written, resolve: endWriting } = Promise.withResolvers<void>();
    await using ring = await startRing({ written });
    for (const end of [() => {}, endWriting]) {
      ring.clock.nowMs += 300_000;
      await ring.keys.find(ring.key);
      end();
      await vi.advanceTimersByTimeAsync(30_000);
    }
    vi.useRealTimers();
    expect(ring.sent).toHaveLength(2);
  });
});

/**
 * @param options.failures how many times last-used times cannot be stored
 * @param options.written when they are stored
 */
async function startRing({ failures = 0, written = Promise.resolve() } = {}) {
  const storage = await openTestStorage(engines.sqlite);
  const { id: accountId } = await storage.accounts.create({ name: "A", email: "a@example.com", websiteLimit: null });
  const clock = { nowMs: Date.now() };
  const [{ key }] = await issueApiKeys(storage, [{ accountId, name: "key" }], testAuthor);
  const sent: unknown[] = [];
  const recordUse: typeof storage.apiKeys.recordUse = async (uses) => {
    const count = sent.push(...uses.values());
    await written;
    if (count > failures) await storage.apiKeys.recordUse(uses);
    else throw new Error("The disk is full.");
  };
  const store = { ...storage.apiKeys, recordUse };
  const keys = new ApiKeyCache(store, { now: () => clock.nowMs, onWriteError: () => {} });
  return { storage, sent, clock, key, keys, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() };
}
