import { Siteward } from "@siteward/sdk";
import { createFakeSiteward, type FakeSiteward } from "@siteward/sdk/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findByDomains } from "./find-by-domains.ts";

function startAccount(count: number): FakeSiteward {
  return createFakeSiteward({
    websites: Array.from({ length: count }, (_, index) => ({ domain: `site-${index + 1}.example` })),
  });
}

function domainsOf(...numbers: readonly number[]): ReadonlySet<string> {
  return new Set(numbers.map((number) => `site-${number}.example`));
}

function connect({ clientOptions }: FakeSiteward): Siteward {
  return new Siteward({ ...clientOptions, maxRetries: 0 });
}

/** How many pages of the list were requested, and how many domains were looked up. */
function countRequests({ requests }: FakeSiteward): { pages: number; lookups: number } {
  const lookups = requests.filter(({ query }) => query["search"] !== undefined).length;
  return { pages: requests.length - lookups, lookups };
}

describe("the number of requests", () => {
  test.each([
    ["a short list is read", 250, domainsOf(1, 150, 999), { pages: 3, lookups: 0 }],
    [
      "domains that a longer list cannot show faster are looked up",
      550,
      domainsOf(1, 150, 999),
      { pages: 1, lookups: 2 },
    ],
    [
      "the list is read until every domain is found",
      550,
      domainsOf(1, 101, 102, 103, 104, 105),
      { pages: 2, lookups: 0 },
    ],
  ])("%s", async (_name, count, domains, expected) => {
    const fake = startAccount(count);
    const { byDomain } = await findByDomains(connect(fake), domains);
    expect(countRequests(fake)).toEqual(expected);
    const existing = fake.websites.filter(({ domain }) => domains.has(domain));
    expect(new Map(byDomain)).toEqual(new Map(existing.map((website) => [website.domain, website])));
  });
});

test("for any account and any domains, it returns the websites that exist, and reports each request", async () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 700 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 600 }), numbers, async (count, chosen) => {
      const fake = startAccount(count);
      let reported = 0;
      const onRequest = () => {
        reported += 1;
      };
      const { byDomain, total } = await findByDomains(connect(fake), domainsOf(...chosen), onRequest);
      const existing = chosen.filter((number) => number <= count);
      expect([...byDomain.keys()].toSorted()).toEqual([...domainsOf(...existing)].toSorted());
      expect([total, reported]).toEqual([count, fake.requests.length]);
      const all = await findByDomains(connect(fake), "all");
      expect([...all.byDomain.values()]).toEqual(fake.websites);
    }),
    { numRuns: 60 },
  );
});

test.each([3, 150])("each of %i websites has its own entity tag, from a page or a lookup", async (count) => {
  const fake = startAccount(1000);
  const numbers = Array.from({ length: count }, (_, index) => 1000 - index * 6);
  const { byDomain, tags } = await findByDomains(connect(fake), domainsOf(...numbers));
  expect(tags.size).toBe(count);
  for (const { id } of [...byDomain.values()].slice(0, 5)) {
    const { response } = await connect(fake).websites.get(id).withResponse();
    expect(tags.get(id)).toBe(response.etag);
  }
});
