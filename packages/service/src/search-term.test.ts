import { parseDomain, toUnicodeDomain } from "@siteward/contract";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toSearchTerm } from "./search-term.ts";

const letters = fc.oneof(
  fc.stringMatching(/^[a-z0-9]{1,4}$/),
  fc.constantFrom(..."üßςΣİ-ёشא٣例ﾃ한𠀀ａ", "u\u0308", "рф", "ｶﾞ", "a\u0308"),
  fc.constantFrom("नमस्ते", "ไทย", "\u00ad", "🦊", "ﬀ", "。", "．", "Ꭰ"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 2 }),
);
const names = fc.array(letters, { minLength: 1, maxLength: 8 }).map((parts) => `${parts.join("")}.example`);

it("toSearchTerm finds a domain by what was typed to create it, and by each part of its Unicode form", () => {
  let found = 0;
  fc.assert(
    fc.property(names, fc.nat(), fc.nat(), (name, from, to) => {
      const domain = parseDomain(name);
      fc.pre(domain.ok);
      const unicode = toUnicodeDomain(domain.value);
      expect(unicode).toContain(toSearchTerm(name));
      expect(unicode).toContain(toSearchTerm(name.normalize("NFD")));
      const characters = [...unicode];
      const [start = 0, end = 0] = [from, to].map((place) => place % characters.length).toSorted((a, b) => a - b);
      const part = characters.slice(start, end + 1).join("");
      expect(toSearchTerm(part)).toBe(part);
      if (unicode !== domain.value) found += 1;
    }),
    { numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(150);
});
