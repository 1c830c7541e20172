import { expect, it } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { startRoundTripCounter } from "../../../../test/support/storage/count-round-trips.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";
import { openWithTestAuthor, type TestStorage } from "../../../../test/support/storage/with-test-author.ts";

it("A create is one round trip to PostgreSQL", async () => {
  await using counted = await openCounted();
  const create = () => counted.websites.create(counted.accountId, newWebsite("b.example"));
  expect(await counted.count(create)).toBe(1);
});

it("A refused create is two round trips to PostgreSQL", async () => {
  await using counted = await openCounted();
  const create = () => counted.websites.create(counted.accountId, newWebsite("a.example")).catch(() => undefined);
  expect(await counted.count(create)).toBe(2);
});

it("A create with an idempotency key is one round trip to PostgreSQL", async () => {
  await using counted = await openCounted();
  const idempotency = { key: "key", fingerprint: "a" };
  const create = () => counted.websites.create(counted.accountId, newWebsite("b.example"), { idempotency });
  expect(await counted.count(create)).toBe(1);
});

it("An update is two round trips to PostgreSQL", async () => {
  await using counted = await openCounted();
  const update = () => counted.websites.update(counted.accountId, 1, () => ({ email: 1 }));
  expect(await counted.count(update)).toBe(2);
});

it("A delete is two round trips to PostgreSQL", async () => {
  await using counted = await openCounted();
  expect(await counted.count(() => counted.websites.delete(counted.accountId, 1))).toBe(2);
});

it("A read is one round trip to PostgreSQL", async () => {
  await using counted = await openCounted();
  expect(await counted.count(() => counted.websites.get(counted.accountId, 1))).toBe(1);
  for (const version of [1, 2]) {
    expect(await counted.count(() => counted.websites.getUnless(counted.accountId, 1, version))).toBe(1);
  }
});

/** Opens storage through a counter, with the connections open that reads and writes use. */
async function openCounted(): Promise<
  TestStorage & AsyncDisposable & { accountId: number; count(work: () => Promise<unknown>): Promise<number> }
> {
  const database = await engines.postgres();
  const counter = await startRoundTripCounter(database.databaseUrl);
  const storage = await openWithTestAuthor({ databaseUrl: counter.url });
  const accountId = await createTestAccount(storage);
  await storage.websites.create(accountId, newWebsite("a.example"));
  await storage.websites.get(accountId, 1);
  return {
    ...storage,
    accountId,
    count: (work) => counter.count(work),
    async [Symbol.asyncDispose]() {
      await storage.close();
      await counter[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
