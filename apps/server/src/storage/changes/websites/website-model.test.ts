import type { ChangePosition } from "@siteward/service";
import fc from "fast-check";
import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../../test/support/engines.ts";
import { anySettings } from "../../../../test/support/storage/any-settings.ts";
import type { AnyStorage } from "../../../../test/support/storage/any-storage.ts";
import { openMemory } from "../../../../test/support/storage/open-memory.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../../test/support/storage/open-test-storage.ts";
import { runOperation, type WebsiteOperation } from "../../../../test/support/storage/run-operation.ts";
import type { TestDatabase } from "../../../../test/support/test-database.ts";
import { maxSmall } from "../../reads/websites/search-small.ts";

const since = 1_700_000_000_000;
const limit = 12;
const newest = { sortBy: "id", sort: "desc", perPage: 1, start: { page: 1 } } as const;
/** An engine may index ids in blocks, so the accounts start before the end of one: the first ids are 1 and 121. */
const lastIds = [0, 120] as const;
const usedIds = [
  `last_website_id = ${lastIds[1]}, last_website_created_at = ${since}`,
  `change_count = ${2 * lastIds[1]}, changed_at = ${since}`,
].join();
const ids = fc.oneof(...lastIds.map((last) => fc.integer({ min: last + 1, max: last + 15 })));
const domains = fc
  .tuple(
    fc.constantFrom("a", "ab", "abc", "shop", "x-1", "9", "xn--ab-xka", "xn--bcher-kva", "xn--a-s17sda"),
    fc.constantFrom("com", "shop.org", "b.co", "xn--bcher-kva.co"),
  )
  .map((labels) => labels.join("."));
const terms = fc.oneof(
  fc.constantFrom("a", "A", "b", ".", "-", "co", ".c", "x-", "com", "ABC.", "shop", "p.sh", " ab ", "9.b.co"),
  fc.constantFrom("%", "_", "a%", "zz", "zzz", "a/b", "aba", "shop.shop.org.com"),
  fc.constantFrom(
    "ü",
    "BÜ",
    "bu\u0308ch",
    "üb",
    "ücher.co",
    "er.c",
    "op.b",
    ".bü",
    "a.bü",
    "xn--b",
    "𠀀",
    "𠀁a",
    "𠀁𠀀",
  ),
);
const starts = (keys: fc.Arbitrary<number | string>) =>
  fc.oneof(
    fc.record({ page: fc.integer({ min: 1, max: 5 }) }),
    fc.record({
      position: fc.record({ key: keys, side: fc.constantFrom("before", "after") }),
      direction: fc.constantFrom("forward", "backward"),
    }),
  );
const lists = fc.constantFrom("id", "domain").chain((sortBy) =>
  fc.record(
    {
      search: terms,
      sortBy: fc.constant(sortBy),
      sort: fc.constantFrom("asc", "desc"),
      perPage: fc.integer({ min: 1, max: 5 }),
      start: starts(sortBy === "id" ? fc.oneof(ids, fc.constantFrom(0, -1, 2 ** 32, 2 ** 40)) : domains),
    },
    { requiredKeys: ["sortBy", "sort", "perPage", "start"] },
  ),
);
const websites = fc.record({ domain: domains, ...anySettings });
const searches = lists.map((request) => ({ search: "o", ...request }));
const creates = fc.record({ kind: fc.constant("create"), website: websites });
const deletes = fc.record({ kind: fc.constant("delete"), id: ids });
const changes = fc.record(anySettings, { requiredKeys: [] });
const operations: fc.Arbitrary<WebsiteOperation> = fc.oneof(
  { weight: 4, arbitrary: creates },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("get"), id: ids }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("update"), id: ids, change: changes }) },
  { weight: 2, arbitrary: deletes },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("list"), request: lists }) },
);
const steps = fc.record({
  index: fc.constantFrom(0, 1),
  clockMs: fc.integer({ min: -1_000, max: 1_000 }),
  operation: operations,
  /** After which known position the changes are read when the operation is done, and how many. */
  changesOf: fc.record({ place: fc.nat(), perPage: fc.integer({ min: 1, max: 5 }) }),
});

describeOnEveryDatabase("websites", (engine) => {
  it("are those of memory in any sequence of operations on two accounts, also if the clock goes back", async () => {
    let now = since;
    await using storage = await openTestStorage(engine, { now: () => now });
    await using memory = await openMemory({ now: () => now });
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 60, size: "max" }), async (sequence) => {
        now = since;
        const accounts = [await createTestAccount(storage, limit), await createTestAccount(storage, limit)] as const;
        for (const id of accounts) expect(await createTestAccount(memory, limit)).toBe(id);
        await useIds(memory, accounts[1], lastIds[1]);
        // The same in one statement.
        await setAccount(storage, accounts[1], usedIds);
        const positions = accounts.map((): ChangePosition[] => []);
        for (const { index, clockMs, operation, changesOf } of sequence) {
          now = since + clockMs;
          const answer = await runOperation(storage.websites, accounts[index], operation);
          expect(answer).toEqual(await runOperation(memory.websites, accounts[index], operation));
          const { changes: position } = await memory.websites.list(accounts[index], newest);
          const known = (positions[index] ?? []).concat(isInTrail(position, index) ? position : []);
          positions[index] = known;
          const from = known[changesOf.place % known.length] ?? position;
          const request = { since: from, perPage: changesOf.perPage };
          const found = await storage.websites.changes(accounts[index], request);
          expect(found).toEqual(await memory.websites.changes(accounts[index], request));
        }
        for (const id of accounts) expect(await storage.accounts.get(id)).toEqual(await memory.accounts.get(id));
      }),
      { numRuns: 80 },
    );
  });

  it("are found as in memory by the index of a large account, after any creates and deletes", async () => {
    await using storage = await openTestStorage(engine, { now: () => since });
    await using memory = await openMemory({ now: () => since });
    const changed = fc.array(fc.oneof({ weight: 3, arbitrary: creates }, deletes), { maxLength: 30, size: "max" });
    await fc.assert(
      fc.asyncProperty(changed, fc.array(searches, { minLength: 5, maxLength: 10 }), async (sequence, requests) => {
        const accountId = await createTestAccount(storage);
        expect(await createTestAccount(memory)).toBe(accountId);
        await useIds(memory, accountId, lastIds[1]);
        await setAccount(storage, accountId, usedIds);
        for (const operation of sequence) {
          for (const { websites: store } of [storage, memory]) await runOperation(store, accountId, operation);
        }
        // A search reads how many websites there are only to know whether it needs the index.
        await setAccount(storage, accountId, `website_count = ${maxSmall + 1}`);
        for (const request of requests) {
          expect(await storage.websites.list(accountId, request)).toEqual(
            await memory.websites.list(accountId, request),
          );
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Whether changes can be read from a position on. The database has no entries of the first changes of the second account. */
function isInTrail({ number }: ChangePosition, index: number): boolean {
  return index === 0 || number > 2 * lastIds[1];
}

/** Uses the first ids of an account, so that they are never assigned again. */
async function useIds({ websites }: AnyStorage, accountId: number, lastId: number): Promise<void> {
  for (let id = 1; id <= lastId; id += 1) {
    await websites.create(accountId, newWebsite("used.example"));
    await websites.delete(accountId, id);
  }
}

async function setAccount(
  { database }: { readonly database: Pick<TestDatabase, "execute"> },
  accountId: number,
  values: string,
): Promise<void> {
  await database.execute(`update accounts set ${values} where id = ${accountId}`);
}
