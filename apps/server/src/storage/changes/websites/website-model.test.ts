import type { WebsiteListRequest } from "@siteward/service";
import fc from "fast-check";
import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../../test/support/storage/open-test-storage.ts";
import type { TestStorage } from "../../../../test/support/storage/with-test-author.ts";

/** The expected content of an account. */
interface Model {
  readonly limit: number;
  lastId: number;
  readonly domains: Map<number, string>;
}

type Operation =
  | { readonly kind: "create"; readonly domain: string }
  | { readonly kind: "update"; readonly id: number; readonly email: 0 | 1 }
  | { readonly kind: "delete"; readonly id: number }
  | { readonly kind: "list"; readonly request: WebsiteListRequest };

const limit = 12;
/** An engine may index ids in blocks, so the accounts start before the end of one: the first ids are 1 and 121. */
const lastIds = [0, 120] as const;
const ids = fc.oneof(...lastIds.map((last) => fc.integer({ min: last + 1, max: last + 15 })));
const domains = fc
  .tuple(fc.constantFrom("a", "ab", "abc", "shop", "x-1", "9"), fc.constantFrom("com", "shop.org", "b.co"))
  .map((labels) => labels.join("."));
const terms = fc.oneof(
  fc.constantFrom("a", "A", "b", ".", "-", "co", ".c", "x-", "com", "ABC.", "shop", "p.sh", " ab ", "9.b.co"),
  fc.constantFrom("%", "_", "a%", "zz", "zzz", "a/b", "aba", "shop.shop.org.com"),
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
const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("create"), domain: domains }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("update"), id: ids, email: fc.constantFrom(0, 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete"), id: ids }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("list"), request: lists }) },
);

describeOnEveryDatabase("websites", (engine) => {
  it("behave like a simple model in any sequence of operations on two accounts", async () => {
    await using storage = await openTestStorage(engine);
    const steps = fc.array(fc.tuple(fc.constantFrom(0, 1), operations), { minLength: 1, maxLength: 60, size: "max" });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const accounts = [await createTestAccount(storage, limit), await createTestAccount(storage, limit)] as const;
        const models = [createModel(lastIds[0]), createModel(lastIds[1])] as const;
        await storage.database.execute(`update accounts set last_website_id = ${lastIds[1]} where id = ${accounts[1]}`);
        for (const [index, operation] of sequence) {
          const found = await runOnStorage(storage, accounts[index], operation);
          expect(found).toEqual(runOnModel(models[index], operation));
        }
        for (const index of [0, 1] as const) {
          const account = await storage.accounts.get(accounts[index]);
          expect(account?.websites.count).toBe(models[index].domains.size);
        }
      }),
      { numRuns: 150 },
    );
  });
});

function createModel(lastId: number): Model {
  return { limit, lastId, domains: new Map() };
}

async function runOnStorage({ websites }: TestStorage, accountId: number, operation: Operation): Promise<unknown> {
  switch (operation.kind) {
    case "create":
      return websites.create(accountId, newWebsite(operation.domain)).then(
        ({ website }) => website.id,
        (error) => error.failure,
      );
    case "update": {
      const updated = await websites.update(accountId, operation.id, () => ({ email: operation.email }));
      return updated?.website.email;
    }
    case "delete":
      return websites.delete(accountId, operation.id);
    case "list": {
      const { websites: found, versions, ...rest } = await websites.list(accountId, operation.request);
      const read = await Promise.all(found.map(({ id }) => websites.get(accountId, id)));
      expect(versions).toEqual(read.map((current) => current?.version));
      return { ids: found.map(({ id }) => id), ...rest };
    }
  }
}

function runOnModel(model: Model, operation: Operation): unknown {
  switch (operation.kind) {
    case "create":
      return createInModel(model, operation.domain);
    case "update":
      return model.domains.has(operation.id) ? operation.email : undefined;
    case "delete":
      return model.domains.delete(operation.id);
    case "list":
      return listModel(model, operation.request);
  }
}

function createInModel(model: Model, domain: string): unknown {
  for (const [id, taken] of model.domains)
    if (taken === domain) return { reason: "domain-taken", domain, websiteId: id };
  if (model.domains.size >= model.limit) return { reason: "website-limit-reached", limit: model.limit };
  model.lastId += 1;
  model.domains.set(model.lastId, domain);
  return model.lastId;
}

function listModel(model: Model, { search, sortBy, sort, perPage, start }: WebsiteListRequest): unknown {
  const term = search?.trim().toLowerCase() ?? "";
  const sign = sort === "asc" ? 1 : -1;
  const compare = (left: number | string, right: number | string) => (left < right ? -sign : left > right ? sign : 0);
  const all = [...model.domains]
    .map(([id, domain]) => ({ id, domain }))
    .filter(({ domain }) => domain.includes(term))
    .sort((left, right) => compare(left[sortBy], right[sortBy]));
  const [from, to] = findRange();
  return {
    ids: all.slice(from, to).map(({ id }) => id),
    total: all.length,
    totalRelation: "eq",
    hasPrevious: Math.min(from, all.length) > 0,
    hasNext: to < all.length,
  };

  function findRange(): [number, number] {
    if ("page" in start) return [(start.page - 1) * perPage, start.page * perPage];
    const { key, side } = start.position;
    const place = all.filter((record) => {
      const order = compare(record[sortBy], key);
      return side === "before" ? order < 0 : order <= 0;
    }).length;
    return start.direction === "forward" ? [place, place + perPage] : [Math.max(0, place - perPage), place];
  }
}
