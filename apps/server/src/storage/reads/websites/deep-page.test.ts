import type { WebsiteListRequest } from "@siteward/service";
import fc from "fast-check";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../../test/support/engines.ts";
import { fillAccount, fillMemory } from "../../../../test/support/storage/fill-account.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";
import { runOperation, type WebsiteOperation } from "../../../../test/support/storage/run-operation.ts";
import { openWithTestAuthor, websitesWithTestAuthor } from "../../../../test/support/storage/with-test-author.ts";
import { createWebsiteStore } from "../../changes/websites/website-store.ts";
import { openDatabase } from "../../database/open-database.ts";

const now = () => 0;
const count = 5_500;
const perPage = 10;
const orders = (["id", "domain"] as const).flatMap((sortBy) =>
  (["asc", "desc"] as const).map((sort) => ({ sortBy, sort })),
);

const domains = Array.from({ length: count }, (_, index) => `w${(index * 7_919) % 6_007}`);
const lists = fc
  .record({ order: fc.constantFrom(...orders), page: fc.integer({ min: 95, max: 620 }) })
  .map(({ order, page }): WebsiteListRequest => ({ ...order, perPage, start: { page } }));
const operations: fc.Arbitrary<WebsiteOperation> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("create"),
      website: fc.stringMatching(/^[a-z0-9]{3}$/).map((domain) => newWebsite(domain)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete"), id: fc.integer({ min: 1, max: count }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("list"), request: lists }) },
);
const steps = fc.array(fc.record({ process: fc.constantFrom(0, 1), operation: operations }), {
  minLength: 20,
  maxLength: 60,
  size: "max",
});

describeOnEveryEngine("numbered pages deep in a list", (engine) => {
  it("are those of memory in any sequence of creates, deletes and pages in two processes", async () => {
    await using place = await engine();
    const storage = await openWithTestAuthor(place);
    const accountId = await createTestAccount(storage);
    await storage.close();
    const databases = [await openDatabase({ ...place, now }), await openDatabase({ ...place, now })] as const;
    const stores = [
      websitesWithTestAuthor(createWebsiteStore(databases[0])),
      websitesWithTestAuthor(createWebsiteStore(databases[1])),
    ] as const;
    await fillAccount(databases[0], accountId, domains);
    const memory = await fillMemory(domains);
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        for (const { process, operation } of sequence) {
          const answer = await runOperation(stores[process], accountId, operation);
          expect(answer).toEqual(await runOperation(memory, accountId, operation));
        }
      }),
      { numRuns: 12 },
    );
    for (const database of databases) await database.close();
  });

  it("are read again after some time, because a restored database can have the same counts with other websites", async () => {
    await using place = await engine();
    const storage = await openWithTestAuthor(place);
    const accountId = await createTestAccount(storage);
    await storage.close();
    let later = 0;
    const database = await openDatabase({ ...place, now: () => later });
    const store = websitesWithTestAuthor(createWebsiteStore(database));
    await fillAccount(database, accountId, domains);
    const first = () => store.list(accountId, { sortBy: "id", sort: "asc", perPage, start: { page: 301 } });
    expect((await first()).websites[0]?.id).toBe(3_001);
    await place.execute(`delete from websites where id = 10; update accounts set website_count = website_count - 1`);
    expect((await first()).websites[0]?.id).toBe(3_002);
    await place.execute(`delete from websites where id = 20; update accounts set last_website_id = last_website_id`);
    later += 60_001;
    expect((await first()).websites[0]?.id).toBe(3_003);
    await database.close();
  });
});
