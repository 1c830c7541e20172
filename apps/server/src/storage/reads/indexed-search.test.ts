import fc from "fast-check";
import { expect, it } from "vitest";
import { engines, type TestDatabase } from "../../../test/support/engines.ts";
import { openMemory } from "../../../test/support/storage/fill-account.ts";
import {
  createTestAccount,
  newWebsite,
  openTestStorage,
  type TestWebsiteStore,
} from "../../../test/support/storage.ts";
import { maxSmall } from "./website-search.ts";

const since = 1_700_000_000_000;
/** The index has ids in blocks, so the account starts before the end of one. */
const lastId = 120;
const usedIds = [
  `last_website_id = ${lastId}, last_website_created_at = ${since}`,
  `change_count = ${2 * lastId}, changed_at = ${since}`,
].join();
const ids = fc.integer({ min: lastId + 1, max: lastId + 15 });
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
const websites = fc.record({
  domain: domains,
  privacy: fc.constantFrom(0, 1, 2),
  email: fc.constantFrom(0, 1),
  exclude_bots: fc.constantFrom(0, 1),
  exclude_params: fc.array(fc.constantFrom("utm_*", "ü", 'quo"te'), { maxLength: 3 }),
  exclude_ips: fc.array(fc.constantFrom("203.0.113.0/24", "2001:db8::1"), { maxLength: 2 }),
  passwordHash: fc.constantFrom(null, "$argon2id$secret"),
});
const searches = lists.map((request) => ({ search: "o", ...request }));
/** A number is the ID of a website to delete. */
const changes = fc.array(fc.oneof({ weight: 3, arbitrary: websites }, ids), { maxLength: 30, size: "max" });

it("a search by the index of a large account finds what memory finds, after any creates and deletes", async () => {
  await using storage = await openTestStorage(engines.sqlite, { now: () => since });
  await fc.assert(
    fc.asyncProperty(changes, fc.array(searches, { minLength: 5, maxLength: 10 }), async (sequence, requests) => {
      const accountId = await createTestAccount(storage);
      const memory = openMemory(() => since);
      await useIds(memory, accountId);
      await setAccount(storage, accountId, usedIds);
      for (const change of sequence) {
        const apply = (store: TestWebsiteStore) =>
          typeof change === "number" ? store.delete(accountId, change) : store.create(accountId, change);
        // A domain that is taken is refused by both.
        await Promise.allSettled([storage.websites, memory].map(apply));
      }
      // A search reads how many websites there are only to know whether it needs the index.
      await setAccount(storage, accountId, `website_count = ${maxSmall + 1}`);
      for (const request of requests) {
        expect(await storage.websites.list(accountId, request)).toEqual(await memory.list(accountId, request));
      }
    }),
    { numRuns: 60 },
  );
});

/** Uses the first ids of an account, so that they are never assigned again. */
async function useIds(websites: TestWebsiteStore, accountId: number): Promise<void> {
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
