import fc from "fast-check";
import { expect, it } from "vitest";
import { listTag } from "./list-tag.ts";
import type { WebsiteList } from "./website-list.ts";

const small = fc.integer({ min: 1, max: 12 });
const lists = fc.record({
  accountId: small,
  records: fc.array(fc.tuple(small, small), { maxLength: 2 }),
  total: fc.constantFrom(1, 2, 11, 10_000),
  totalRelation: fc.constantFrom("eq" as const, "gte" as const),
  hasPrevious: fc.boolean(),
  hasNext: fc.boolean(),
  changes: fc.record({ number: small, at: small }),
});

it("The tag of a page is weak, and the same only for the same account, records, versions, total, neighbors and changes", () => {
  const known = new Map<string, unknown>();
  fc.assert(
    fc.property(lists, (list) => {
      const tag = tagOf(list);
      expect(tag).toMatch(/^W\/"-?\d+\.-?\d+"$/);
      expect(tagOf(structuredClone(list))).toBe(tag);
      expect(known.get(tag) ?? list).toEqual(list);
      known.set(tag, list);
    }),
    { numRuns: 5_000 },
  );
});

it("A page without a version of each record has no tag", () => {
  const page = {
    total: 1,
    totalRelation: "eq",
    hasPrevious: false,
    hasNext: false,
    changes: { number: 0, at: 0 },
  } as const;
  // The cast is safe, as below.
  const websites = [{ id: 1 }] as WebsiteList["websites"];
  expect(() => listTag(1, { websites, versions: [], ...page })).toThrow("no version of website 0 of the page");
});

function tagOf({ accountId, records, ...rest }: typeof lists extends fc.Arbitrary<infer List> ? List : never): string {
  // The cast is safe: the tag contains nothing of a website but its ID.
  const websites = records.map(([id]) => ({ id })) as WebsiteList["websites"];
  return listTag(accountId, { websites, versions: records.map(([, version]) => version), ...rest });
}
