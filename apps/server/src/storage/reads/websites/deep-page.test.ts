import type { WebsiteListRequest } from "@siteward/service";
import fc from "fast-check";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../../test/support/engines.ts";
import { openMemory } from "../../../../test/support/storage/open-memory.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";
import { runOperation, type WebsiteOperation } from "../../../../test/support/storage/run-operation.ts";
import { openWithTestAuthor, websitesWithTestAuthor } from "../../../../test/support/storage/with-test-author.ts";
import { createWebsiteStore } from "../../changes/websites/website-store.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open-database.ts";

const since = 1_700_000_000_000;
const now = () => since;
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
    await fill(databases[0], accountId);
    await using memory = await openMemory({ now });
    const memoryId = await createTestAccount(memory);
    for (const domain of domains) await memory.websites.create(memoryId, newWebsite(domain));
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        for (const { process, operation } of sequence) {
          const answer = await runOperation(stores[process], accountId, operation);
          expect(answer).toEqual(await runOperation(memory.websites, memoryId, operation));
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
    let later = since;
    const database = await openDatabase({ ...place, now: () => later });
    const store = websitesWithTestAuthor(createWebsiteStore(database));
    await fill(database, accountId);
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

/** Creates all websites with one statement, as `create` would. */
async function fill(database: Database, accountId: number): Promise<void> {
  const { passwordHash, exclude_params, exclude_ips, ...rest } = newWebsite("");
  const lists = { exclude_params: JSON.stringify(exclude_params), exclude_ips: JSON.stringify(exclude_ips) };
  const settings = { ...rest, ...lists, password_hash: passwordHash, version: 1, created_at: since, updated_at: since };
  const rows = domains.map((domain, index) => ({ ...settings, account_id: accountId, id: index + 1, domain }));
  await database.write(async (transaction) => {
    for (let start = 0; start < rows.length; start += 1_000) {
      await transaction.write(database.build.insertInto("websites").values(rows.slice(start, start + 1_000)));
    }
    const totals = { website_count: count, last_website_id: count };
    await transaction.write(database.build.updateTable("accounts").set(totals).where("id", "=", accountId));
  });
}
