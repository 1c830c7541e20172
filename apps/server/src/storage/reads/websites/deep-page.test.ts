import fc from "fast-check";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../../test/support/engines.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";
import {
  openWithTestAuthor,
  type TestWebsiteStore,
  websitesWithTestAuthor,
} from "../../../../test/support/storage/with-test-author.ts";
import { createWebsiteStore } from "../../changes/websites/website-store.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open-database.ts";

const count = 5_500;
const perPage = 10;
const orders = (["id", "domain"] as const).flatMap((sortBy) =>
  (["asc", "desc"] as const).map((sort) => ({ sortBy, sort })),
);

type Step =
  | { readonly kind: "create"; readonly domain: string }
  | { readonly kind: "delete"; readonly nth: number }
  | { readonly kind: "list"; readonly order: (typeof orders)[number]; readonly page: number };

const steps = fc.array(
  fc.record({
    process: fc.constantFrom(0, 1),
    step: fc.oneof(
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("create"), domain: fc.stringMatching(/^[a-z0-9]{3}$/) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete"), nth: fc.nat(count) }) },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant("list"),
          order: fc.constantFrom(...orders),
          page: fc.integer({ min: 95, max: 620 }),
        }),
      },
    ) satisfies fc.Arbitrary<Step>,
  }),
  { minLength: 20, maxLength: 60, size: "max" },
);

describeOnEveryEngine("numbered pages deep in a list", (engine) => {
  it("are exact in any sequence of creates, deletes and pages in two processes", async () => {
    await using place = await engine();
    const storage = await openWithTestAuthor(place);
    const accountId = await createTestAccount(storage);
    await storage.close();
    const databases = [await openDatabase(place), await openDatabase(place)] as const;
    const stores = [
      websitesWithTestAuthor(createWebsiteStore(databases[0])),
      websitesWithTestAuthor(createWebsiteStore(databases[1])),
    ] as const;
    const model = await fill(databases[0], accountId);
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        for (const { process, step } of sequence) await run(stores[process], { accountId, model }, step);
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
    let now = 1_700_000_000_000;
    const database = await openDatabase({ ...place, now: () => now });
    const store = websitesWithTestAuthor(createWebsiteStore(database));
    await fill(database, accountId);
    const first = () => store.list(accountId, { sortBy: "id", sort: "asc", perPage, start: { page: 301 } });
    expect((await first()).websites[0]?.id).toBe(3_001);
    await place.execute(`delete from websites where id = 10; update accounts set website_count = website_count - 1`);
    expect((await first()).websites[0]?.id).toBe(3_002);
    await place.execute(`delete from websites where id = 20; update accounts set last_website_id = last_website_id`);
    now += 60_001;
    expect((await first()).websites[0]?.id).toBe(3_003);
    await database.close();
  });
});

/** The domain of each website by its id. */
type Model = Map<number, string>;

async function run(
  store: TestWebsiteStore,
  { accountId, model }: { readonly accountId: number; readonly model: Model },
  step: Step,
): Promise<void> {
  if (step.kind === "create") {
    const created = await store.create(accountId, newWebsite(step.domain)).catch(() => undefined);
    if (created !== undefined) model.set(created.website.id, step.domain);
  } else if (step.kind === "delete") {
    const id = [...model.keys()][step.nth] ?? 0;
    expect(await store.delete(accountId, id)).toBe(model.delete(id));
  } else {
    const { order, page } = step;
    const { websites, versions, ...rest } = await store.list(accountId, { ...order, perPage, start: { page } });
    const all = sortModel(model, order);
    const [from, to] = [(page - 1) * perPage, page * perPage];
    expect(versions).toEqual(websites.map(() => 1));
    expect({ ids: websites.map(({ id }) => id), ...rest }).toEqual({
      ids: all.slice(from, to),
      total: all.length,
      totalRelation: "eq",
      hasPrevious: true,
      hasNext: to < all.length,
    });
  }
}

function sortModel(model: Model, { sortBy, sort }: (typeof orders)[number]): number[] {
  const sign = sort === "asc" ? 1 : -1;
  const key = ([id, domain]: readonly [number, string]) => (sortBy === "id" ? id : domain);
  return [...model].sort((left, right) => (key(left) < key(right) ? -sign : sign)).map(([id]) => id);
}

/** Creates all websites with one statement, as `create` would. */
async function fill(database: Database, accountId: number): Promise<Model> {
  const model: Model = new Map(Array.from({ length: count }, (_, index) => [index + 1, `w${(index * 7_919) % 6_007}`]));
  const { passwordHash, exclude_params, exclude_ips, ...rest } = newWebsite("");
  const lists = { exclude_params: JSON.stringify(exclude_params), exclude_ips: JSON.stringify(exclude_ips) };
  const settings = { ...rest, ...lists, password_hash: passwordHash, version: 1, created_at: 0, updated_at: 0 };
  const rows = [...model].map(([id, domain]) => ({ ...settings, account_id: accountId, id, domain }));
  await database.write(async (transaction) => {
    for (let start = 0; start < rows.length; start += 1_000) {
      await transaction.write(database.build.insertInto("websites").values(rows.slice(start, start + 1_000)));
    }
    const totals = { website_count: count, last_website_id: count };
    await transaction.write(database.build.updateTable("accounts").set(totals).where("id", "=", accountId));
  });
  return model;
}
