import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalizeDomain } from "./domain.ts";
import { toAscii } from "./to-ascii.ts";
import { toUnicodeDomain } from "./unicode.ts";

test.each([
  ["xn--bcher-kva.example", "bücher.example"],
  ["xn--f1a7c.xn--p1ai", "ёж.рф"],
  ["www.xn--r8jz45g.xn--zckzah", "www.例え.テスト"],
  ["xn--4dbcagdahymbxekheh6e0a7fei0b.example", "למההםפשוטלאמדבריםעברית.example"],
  ["xn--a-s17sda.example", "𠀀𠀁a.example"],
  ["example.com", "example.com"],
  ["", ""],
])("toUnicodeDomain shows %j as %j", (domain, unicode) => {
  expect(toUnicodeDomain(domain)).toBe(unicode);
});

test.each([
  ["Punycode of plain ASCII", "xn--abc-.com"],
  ["numbers that are too large", "xn--99999999.com"],
  ["Punycode of a capital letter, which is stored as a small one", "xn--Bcher-kva.com"],
  ["Punycode of a surrogate", "xn--ib9b.com"],
  ["Punycode of a sign that reverses the text on a terminal", "xn--abc-5q0a.com"],
  ["a hyphen at the start of its Unicode form, which the service does not store", "xn----eha.com"],
  ["a label that is too long", toAscii(`${"ü".repeat(80)}.com`) ?? ""],
])("toUnicodeDomain does not change %s", (_what, domain) => {
  expect(toUnicodeDomain(domain)).toBe(domain);
});

test("toUnicodeDomain shows what people wrote: its ASCII form is the domain again", () => {
  const letters = fc.oneof(
    fc.stringMatching(/^[a-z0-9]{1,5}$/),
    fc.constantFrom("ü", "ß", "é", "-", "ё", "рф", "ش", "א", "例", "テ", "한국", "𠀀", "i̇", "\u{1f600}", "ａ"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
  );
  const label = fc.array(letters, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
  let decoded = 0;
  fc.assert(
    fc.property(fc.array(label, { minLength: 2, maxLength: 4 }), (labels) => {
      const domain = canonicalizeDomain(labels.join("."));
      fc.pre(domain !== undefined);
      const unicode = toUnicodeDomain(domain);
      expect(toAscii(unicode)).toBe(domain);
      expect(canonicalizeDomain(unicode)).toBe(domain);
      expect(unicode).not.toMatch(/(^|\.)xn--/);
      if (unicode !== domain) decoded += 1;
    }),
    { numRuns: 1000 },
  );
  expect(decoded).toBeGreaterThan(100);
});

test("toUnicodeDomain never fails, and never returns a name with another ASCII form", () => {
  const labels = fc.oneof(fc.stringMatching(/^xn--[a-z0-9-]{0,20}$/), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(fc.array(labels, { maxLength: 3 }), (parts) => {
      const domain = parts.join(".");
      const unicode = toUnicodeDomain(domain);
      for (const [index, label] of unicode.split(".").entries()) {
        const before = domain.split(".")[index];
        expect(label === before || toAscii(label) === before).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});
