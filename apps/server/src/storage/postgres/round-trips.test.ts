import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { startRoundTripCounter } from "../../../test/support/storage/count-round-trips.ts";
import { createTestAccount, newWebsite } from "../../../test/support/storage/open-test-storage.ts";
import { openWithTestAuthor, type TestStorage } from "../../../test/support/storage/with-test-author.ts";

type Counted = Awaited<ReturnType<typeof openCounted>>;

const keyed = { idempotency: { key: "key", fingerprint: "a" } };
const request = { search: "a.ex", sortBy: "id", sort: "desc", perPage: 10, start: { page: 1 } } as const;

/** Each change or read of the account, one after the other, with its round trips. */
const works: Record<string, ReadonlyArray<readonly [(counted: Counted) => Promise<unknown>, roundTrips: number]>> = {
  "a create": [[({ websites, accountId }) => websites.create(accountId, newWebsite("b.example")), 1]],
  "a refused create": [
    [({ websites, accountId }) => websites.create(accountId, newWebsite("a.example")).catch(() => undefined), 2],
  ],
  "a create with an idempotency key": [
    [({ websites, accountId }) => websites.create(accountId, newWebsite("b.example"), keyed), 1],
  ],
  "updates and a delete of a record that this process stored last": [
    [(counted) => update(counted, 1, 1), 1],
    [(counted) => update(counted, 1, 0), 1],
    [({ websites, accountId }) => websites.delete(accountId, 1), 1],
  ],
  "an update and a delete of records that another process stored": [
    [(counted) => update(counted, 2, 1), 2],
    [({ websites, accountId }) => websites.delete(accountId, 3), 2],
  ],
  "updates of a record that another process changed after this one had stored it": [
    [(counted) => update(counted, 4, 1), 3],
    [(counted) => update(counted, 4, 0), 2],
    [(counted) => update(counted, 4, 1), 1],
  ],
  "a read": [[({ websites, accountId }) => websites.get(accountId, 1), 1]],
  "a search of a small account, after the first one of the process": [
    [({ websites, accountId }) => websites.list(accountId, request), 1],
  ],
};

it.each(Object.entries(works))("%s: as few round trips to PostgreSQL as possible", async (_, steps) => {
  await using counted = await openCounted();
  for (const [work, roundTrips] of steps) expect(await counted.count(() => work(counted))).toBe(roundTrips);
});

function update({ websites, accountId }: Counted, id: number, email: 0 | 1) {
  return websites.update(accountId, id, () => ({ email }));
}

/** Opens storage through a counter, with the connections open that reads and writes use. Another process created websites 2 and 3, and changed 4. */
async function openCounted(): Promise<
  TestStorage & AsyncDisposable & { accountId: number; count(work: () => Promise<unknown>): Promise<number> }
> {
  const database = await engines.postgres();
  const counter = await startRoundTripCounter(database.databaseUrl);
  const storage = await openWithTestAuthor({ databaseUrl: counter.url });
  const other = await openWithTestAuthor({ databaseUrl: database.databaseUrl });
  const accountId = await createTestAccount(storage);
  await storage.websites.create(accountId, newWebsite("a.example"));
  for (const domain of ["b1.example", "c1.example"]) await other.websites.create(accountId, newWebsite(domain));
  await storage.websites.create(accountId, newWebsite("d1.example"));
  await other.websites.update(accountId, 4, () => ({ exclude_params: ["a"] }));
  await storage.websites.get(accountId, 1);
  await storage.websites.list(accountId, request);
  return {
    ...storage,
    accountId,
    count: (work) => counter.count(work),
    async [Symbol.asyncDispose]() {
      await Promise.all([storage.close(), other.close()]);
      await counter[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
