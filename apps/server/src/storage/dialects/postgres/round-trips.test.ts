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

it("An update or a delete is one round trip to PostgreSQL if this process stored the record last", async () => {
  await using counted = await openCounted();
  expect(await counted.count(() => counted.websites.update(counted.accountId, 1, () => ({ email: 1 })))).toBe(1);
  expect(await counted.count(() => counted.websites.update(counted.accountId, 1, () => ({ email: 0 })))).toBe(1);
  expect(await counted.count(() => counted.websites.delete(counted.accountId, 1))).toBe(1);
});

it("An update or a delete is two round trips to PostgreSQL if another process stored the record last", async () => {
  await using counted = await openCounted();
  const { accountId, other, websites } = counted;
  for (const domain of ["b.example", "c.example"]) await other.websites.create(accountId, newWebsite(domain));
  expect(await counted.count(() => websites.update(accountId, 2, () => ({ email: 1 })))).toBe(2);
  expect(await counted.count(() => websites.delete(accountId, 3))).toBe(2);
});

it("An update is three round trips to PostgreSQL if another process has changed what this one stored, and then two", async () => {
  await using counted = await openCounted();
  const { accountId, other, websites } = counted;
  const update = (email: 0 | 1) => counted.count(() => websites.update(accountId, 1, () => ({ email })));
  await other.websites.update(accountId, 1, () => ({ exclude_params: ["a"] }));
  expect(await update(1)).toBe(3);
  expect(await update(0)).toBe(2);
  expect(await update(1)).toBe(1);
});

it("A read is one round trip to PostgreSQL", async () => {
  await using counted = await openCounted();
  expect(await counted.count(() => counted.websites.get(counted.accountId, 1))).toBe(1);
});

it("A search of a small account is one round trip to PostgreSQL, except the first one of the process", async () => {
  await using counted = await openCounted();
  const request = { search: "a.ex", sortBy: "id", sort: "desc", perPage: 10, start: { page: 1 } } as const;
  await counted.websites.list(counted.accountId, request);
  expect(await counted.count(() => counted.websites.list(counted.accountId, request))).toBe(1);
});

/** Opens storage through a counter, with the connections open that reads and writes use, and next to it that of another process. */
async function openCounted(): Promise<
  TestStorage &
    AsyncDisposable & { accountId: number; other: TestStorage; count(work: () => Promise<unknown>): Promise<number> }
> {
  const database = await engines.postgres();
  const counter = await startRoundTripCounter(database.databaseUrl);
  const storage = await openWithTestAuthor({ databaseUrl: counter.url });
  const other = await openWithTestAuthor({ databaseUrl: database.databaseUrl });
  const accountId = await createTestAccount(storage);
  await storage.websites.create(accountId, newWebsite("a.example"));
  await storage.websites.get(accountId, 1);
  return {
    ...storage,
    accountId,
    other,
    count: (work) => counter.count(work),
    async [Symbol.asyncDispose]() {
      await Promise.all([storage.close(), other.close()]);
      await counter[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
