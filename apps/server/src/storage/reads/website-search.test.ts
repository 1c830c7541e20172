import { parseDomain, toUnicodeDomain } from "@siteward/contract";
import fc from "fast-check";
import { expect, it } from "vitest";
import { unicodeDomain } from "../changes/create-website.ts";
import { searchedColumns } from "./website-search.ts";

const letters = fc.constantFrom("a", "b", "1", "-", ".", "ü", "ö", "例", "𠀀", "א", "ab", "xn--", "b.ü", "ü.a");
const names = fc.array(letters, { minLength: 1, maxLength: 8 }).map((parts) => `${parts.join("")}.a`);

it("names a column that contains the term, for every part of both forms of a domain", () => {
  const columns = new Set<string>();
  fc.assert(
    fc.property(names, fc.nat(), fc.nat(), (name, from, to) => {
      const domain = parseDomain(name);
      fc.pre(domain.ok);
      const row = { domain: domain.value, unicode_domain: unicodeDomain(domain.value) };
      for (const form of [row.domain, toUnicodeDomain(row.domain)]) {
        const characters = [...form];
        const [start = 0, end = 0] = [from, to].map((place) => place % characters.length).toSorted((a, b) => a - b);
        const term = characters.slice(start, end + 1).join("");
        const searched = searchedColumns(term);
        expect([term, searched.some((column) => row[column]?.includes(term))]).toEqual([term, true]);
        columns.add(searched.join());
      }
    }),
    { numRuns: 3000 },
  );
  expect([...columns].toSorted()).toEqual(["domain", "domain,unicode_domain", "unicode_domain"]);
});
