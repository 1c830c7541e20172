import fc from "fast-check";
import { expect, test } from "vitest";
import { readVersions } from "../../src/bulk/index.ts";
import { Siteward } from "../../src/index.ts";
import { createFakeSiteward, type FakeSiteward } from "../../src/testing/index.ts";

function startAccount(count: number): FakeSiteward {
  return createFakeSiteward({
    websites: Array.from({ length: count }, (_, index) => ({ domain: `site-${index + 1}.example` })),
  });
}

function domainsOf(...numbers: readonly number[]): ReadonlySet<string> {
  return new Set(numbers.map((number) => `site-${number}.example`));
}

/** How many pages of the list were requested, and how many websites were looked up. */
function countRequests({ requests }: FakeSiteward): { pages: number; lookups: number } {
  const lookups = requests.filter(({ path, query }) => query["search"] !== undefined || /\d$/.test(path)).length;
  return { pages: requests.length - lookups, lookups };
}

test.each([
  ["a short list is read", 250, { domains: domainsOf(1, 150, 999) }, { pages: 3, lookups: 0 }],
  [
    "domains that a longer list has far apart are looked up",
    550,
    { domains: domainsOf(1, 150, 999) },
    { pages: 1, lookups: 2 },
  ],
  [
    "the list is read until all are found",
    550,
    { domains: domainsOf(1, 101, 102, 103, 104, 105) },
    { pages: 2, lookups: 0 },
  ],
  [
    "many IDs are read with the list",
    250,
    { ids: new Set(Array.from({ length: 250 }, (_, at) => at + 1)) },
    { pages: 3, lookups: 0 },
  ],
  ["two IDs are looked up", 550, { ids: new Set([1, 550]) }, { pages: 0, lookups: 2 }],
  [
    "an ID and the domain of the same website are one",
    550,
    { ids: new Set([101]), domains: domainsOf(101) },
    { pages: 1, lookups: 2 },
  ],
])("with few requests, %s", async (_name, count, wanted: Parameters<typeof readVersions>[1], expected) => {
  const fake = startAccount(count);
  const { versions } = await readVersions(new Siteward(fake.clientOptions), wanted);
  expect(countRequests(fake)).toEqual(expected);
  const { ids, domains } = wanted === "all" ? {} : wanted;
  const existing = fake.websites.filter(({ id, domain }) => ids?.has(id) || domains?.has(domain));
  expect([...versions.values()].map(({ website }) => website)).toEqual(existing);
});

test.each([0, Number.NaN])("with %d requests at the same time, it still reads them", async (parallel) => {
  const siteward = new Siteward(startAccount(2).clientOptions);
  expect((await readVersions(siteward, { ids: new Set([1, 2]) }, { parallel })).versions.size).toBe(2);
});

test("of any account, any IDs and domains, it reads those that exist, each with its own entity tag", async () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 700 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 600 }), numbers, numbers, async (count, ids, chosen) => {
      const fake = startAccount(count);
      const siteward = new Siteward(fake.clientOptions);
      const { versions } = await readVersions(siteward, { ids: new Set(ids), domains: domainsOf(...chosen) });
      const existing = new Set([...ids, ...chosen].filter((number) => number <= count));
      expect([...versions.keys()].toSorted((a, b) => a - b)).toEqual([...existing].toSorted((a, b) => a - b));
      for (const { website, tag } of versions.values()) {
        expect([website, tag]).toEqual([fake.websites[website.id - 1], `"1-${website.id}-1"`]);
      }
      const all = await readVersions(siteward, "all");
      expect([[...all.versions.values()].map(({ website }) => website), all.total]).toEqual([fake.websites, count]);
    }),
    { numRuns: 30 },
  );
});
