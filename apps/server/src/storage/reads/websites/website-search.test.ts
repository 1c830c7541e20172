import { setImmediate } from "node:timers/promises";
import { toAscii } from "@siteward/contract";
import type { WebsiteListRequest } from "@siteward/service";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../../test/support/engines.ts";
import { fillAccount, fillMemory } from "../../../../test/support/storage/fill-account.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../../test/support/storage/open-test-storage.ts";
import { createWebsiteStore } from "../../changes/websites/website-store.ts";
import { openDatabase } from "../../database/open-database.ts";
import { maxSmall } from "./search-small.ts";

const words = ["shop", "zürich", "blog", "例え", "a-b"];
/** In another order than their ids. */
const domains = Array.from({ length: maxSmall + 2 }, (_, index) => toDomain((index * 7_919) % 10_007));
const terms = ["shop", "Ü", "blog-1", "h-11.ex", "-1", ".", "nothing", "例", "ch-7.b"];

describeOnEveryEngine("a search", (engine) => {
  it("has the answers of memory in accounts below, at and above the size from which an index is used", async () => {
    await using storage = await openTestStorage(engine);
    const { websites } = storage;
    const database = await openDatabase(storage.database);
    const accountId = await createTestAccount(storage);
    await fillAccount(database, accountId, domains.slice(0, maxSmall - 1));
    await database.close();
    const memory = await fillMemory(domains.slice(0, maxSmall - 1));
    for (const added of [undefined, maxSmall - 1, maxSmall]) {
      if (added !== undefined) {
        const website = newWebsite(domains[added] ?? "");
        for (const [store, id] of [
          [websites, accountId],
          [memory, 1],
        ] as const)
          await store.create(id, website);
      }
      for (const request of requests()) {
        const answer = await websites.list(accountId, request);
        const expected = await memory.list(1, request);
        // The clock of memory stands still.
        const shown = ({ changes, websites: found, ...list }: typeof answer) => [
          found.map(({ id }) => id),
          changes.number,
          list,
        ];
        expect([request, shown(answer)]).toEqual([request, shown(expected)]);
      }
    }
  });

  it("has one answer while other websites are created and deleted, whichever size the account has at the moment", async () => {
    await using storage = await openTestStorage(engine);
    const { websites } = storage;
    const database = await openDatabase(storage.database);
    const accountId = await createTestAccount(storage);
    await fillAccount(database, accountId, domains.slice(0, maxSmall));
    await database.close();
    // Neither of them matches a term, and both come after all others in each order.
    const others = ["zzz-other.test", "zzz-another.test"].map((domain) => newWebsite(domain));
    const first = { search: "shop", sortBy: "domain", sort: "asc", perPage: 10, start: { page: 3 } } as const;
    const expected = await websites.list(accountId, first);
    expect(expected.websites).toHaveLength(10);
    let [hasEnded, rounds] = [false, 0];
    const writing = (async () => {
      for (; !hasEnded; rounds += 1) {
        const created = await Promise.all(others.map((other) => websites.create(accountId, other)));
        await Promise.all(created.map(({ website }) => websites.delete(accountId, website.id)));
      }
    })();
    const answers = [];
    for (let count = 0; count < 50 || rounds < 5; count += 1) {
      answers.push(await websites.list(accountId, first));
      // SQLite answers a search before it lets anything else of this thread run.
      await setImmediate();
    }
    hasEnded = true;
    await writing;
    const numbers = answers.map(({ changes }) => changes.number);
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
    expect(answers).toEqual(answers.map(({ changes }) => ({ ...expected, changes })));
  });

  it("is one query in a small account, except for what the first search of the process checks", async () => {
    await using storage = await openTestStorage(engine);
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("shop.example"));
    const queries: string[] = [];
    const database = await openDatabase({ ...storage.database, log: ({ query }) => void queries.push(query.sql) });
    const { list } = createWebsiteStore(database);
    const [first, ...others] = requests();
    if (first !== undefined) await list(accountId, first);
    queries.length = 0;
    for (const request of others) await list(accountId, request);
    expect(queries).toHaveLength(others.length);
    await database.close();
  });
});

function toDomain(number: number): string {
  return toAscii(`${words[number % words.length]}-${number}.${number % 3 === 0 ? "bücher" : "example"}`) ?? "";
}

function requests(): Array<WebsiteListRequest & { readonly search: string }> {
  const orders = [
    { sortBy: "id", key: 700 },
    { sortBy: "domain", key: "m" },
  ] as const;
  return terms.flatMap((search, index) =>
    orders.flatMap(({ sortBy, key }) => {
      const list = { search, sortBy, sort: index % 2 === 0 ? "asc" : "desc", perPage: 10 } as const;
      return [
        { ...list, start: { page: 1 } },
        { ...list, start: { page: 3 } },
        { ...list, start: { position: { key, side: "after" }, direction: "forward" } },
        { ...list, start: { position: { key, side: "before" }, direction: "backward" } },
      ] as const;
    }),
  );
}
