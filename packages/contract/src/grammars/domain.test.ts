import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalizeDomain, findDomainFault, parseDomain } from "./domain.ts";

const label = (length: number) => "a".repeat(length);
const longest = `${label(63)}.${label(63)}.${label(63)}.${label(57)}.com`;
const generic = 'a host name such as "example.com"';

test.each([
  ["as it is where it is canonical", "example.com", "example.com"],
  ["trimmed", "  example.com\r\n", "example.com"],
  ["without one trailing dot", "example.com.", "example.com"],
  ["with its www., which is another host", "www.example.com", "www.example.com"],
  ["in ASCII", "Bücher.example", "xn--bcher-kva.example"],
  ["in ASCII with a top label beyond ASCII", "ёж.рф", "xn--f1a7c.xn--p1ai"],
  ["with ß kept apart from ss", "faß.example", "xn--fa-hia.example"],
  ["the same from Punycode in capitals", "XN--BCHER-KVA.example", "xn--bcher-kva.example"],
  ["with fullwidth letters mapped", "ＥＸＡＭＰＬＥ.com", "example.com"],
  ["with a fullwidth full stop as a dot", "example．com", "example.com"],
  ["without invisible characters that URLs ignore", "sh\u00adop.exam\u200bple", "shop.example"],
  ["with digits in any label but the last", "1.2.3.4.example", "1.2.3.4.example"],
  ["with hyphens inside its Unicode form", "ü-ü.b-ü.ü-b.com", "xn----dhab.xn--b--yka.xn---b-wka.com"],
  ["with a label of 63 characters", `${label(63)}.com`, `${label(63)}.com`],
  ["with 253 characters and one trailing dot", `${longest}.`, longest],
])("a domain is stored in one form %s", (_how, text, value) => {
  expect(parseDomain(text)).toEqual({ ok: true, value });
});

const hyphens = "send labels of letters, digits and hyphens, with no hyphen at either end";
const numeric = "send a host name whose last label is not a number";

/** The texts that are refused for each reason, which says what to send instead. */
const refusals: Readonly<Record<string, readonly string[]>> = {
  [`is empty; send ${generic}`]: ["", " \t "],
  'contains a scheme; send "example.com"': [
    "https://example.com",
    "https://user:secret@example.com/",
    "mailto:me@example.com",
    "//example.com",
  ],
  [`contains a scheme; send ${generic}`]: ["https://localhost"],
  // URL parsers take a backslash for a path.
  'contains a path; send "example.com"': ["example.com/blog", "example.com\\blog"],
  'contains a query; send "example.com"': ["example.com?utm=1/2"],
  'contains a fragment; send "example.com"': ["example.com#top?"],
  'contains user information; send "example.com"': ["user:secret@example.com"],
  'contains a port; send "example.com"': ["example.com:8080", "example.com:"],
  'contains a wildcard; send "example.com"': ["*.example.com"],
  [`contains a wildcard; send ${generic}`]: ["shop.*.com"],
  [`contains whitespace; send ${generic}`]: ["exam ple.com"],
  [`contains an underscore; send ${generic}`]: ["my_site.example.com"],
  [`contains the character "%"; send ${generic}`]: ["ex%61mple.com"],
  [`contains a control character; send ${generic}`]: [..."\u0000\t\n\r\u001b\u007f\u0085\u009f"].map(
    (sign) => `a${sign}b.com`,
  ),
  'is a single label; send a full host name such as "example.com"': ["localhost"],
  [`has an empty label (two dots in a row or a leading dot); send ${generic}`]: ["example..com", "\u00ad.com"],
  [`has the invalid label "-a"; ${hyphens}`]: ["-a.com"],
  [`has the invalid label "a-"; ${hyphens}`]: ["a-.com"],
  // Punycode can hide a hyphen.
  [`has the invalid label "-ü"; ${hyphens}`]: ["-ü.com", "xn----eha.com"],
  [`has the invalid label "bücher-"; ${hyphens}`]: ["Bücher-.com", "xn--bcher--3ya.com"],
  'has a label of 64 characters in ASCII ("aaaaaaaaaaaaaaaa…"); send labels of at most 63 characters': [
    `${label(64)}.com`,
  ],
  "is 254 characters long in ASCII; send at most 253 characters": [
    `${label(63)}.${label(63)}.${label(63)}.${label(58)}.com`,
  ],
  // URL parsers take it for a number.
  [`ends in the numeric label "0x1f"; ${numeric}`]: ["example.0x1F"],
  'is not a valid internationalized domain name; send a name such as "bücher.example"': [
    ...["xn--a.com", "xn--99999999.com", "a\u200db.com", "ex\ud800.com", "example.com／blog", "a\ufe50b.example"],
  ],
  // Written in any way that a URL parser accepts.
  [`is an IP address; send ${generic}`]: [
    ...["127.0.0.1", "127.1.", "2130706433", "0X7F.0.0.1", "0x", "①②⑦.0.0.1", "[::1]:80", "fe80::1%eth0"],
  ],
};

test.each(Object.entries(refusals))(
  "a string that is not a domain is refused, and the reason says what to send instead %s",
  (reason, texts) => {
    for (const text of texts) expect([text, parseDomain(text)]).toEqual([text, { ok: false, reason }]);
  },
);

describe("any string", () => {
  const signs = [..."aZ0-_.。üßא٣１\u200d\u00ad:/@*[ #?", "0x1", "xn--", "%41", "\ud800", "com"];
  const pieces = fc.array(fc.constantFrom(...signs), { maxLength: 12 });
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.domain(),
    fc.webUrl(),
    fc.ipV4Extended(),
    pieces.map((parts) => parts.join("")),
  );

  test("is parsed to a domain that is its own canonical form, also for a URL parser, or to a reason", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseDomain(text);
        if (!parsed.ok) {
          expect(parsed.reason).toMatch(/^(is|has|contains|ends) .*; send /);
          return;
        }
        expect(parsed.value).toMatch(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]+$/);
        expect(parsed.value.length).toBeLessThanOrEqual(253);
        expect(parseDomain(parsed.value)).toEqual(parsed);
        expect(new URL(`http://${parsed.value}/`).hostname).toBe(parsed.value);
      }),
      { numRuns: 2000 },
    );
  });

  test("has a fault, and only if it has no canonical form: the two state the same rules", () => {
    // Joined from labels around each limit.
    const parts = fc.constantFrom("a", "-", "9", "0x", "é", "xn--", "\ufeff", "\u3000", "\u0085", label(62), label(63));
    const labels = fc.array(parts, { maxLength: 4 }).map((some) => some.join(""));
    const names = fc.array(labels, { maxLength: 6 }).map((some) => some.join("."));
    fc.assert(
      fc.property(fc.oneof(texts, names), (text) => {
        expect(findDomainFault(text) === undefined).toBe(canonicalizeDomain(text) !== undefined);
      }),
      { numRuns: 10_000 },
    );
  });

  test.each([["*."], ["a:1:"], ["http://"], ["@"], ["a."], ["ü"], ["xn--"], ["\u{20000}\u{20001}"], ["["], ["/"]])(
    "is rejected quickly at the maximum body size, if it consists of %j",
    (piece) => {
      const start = process.cpuUsage();
      expect(parseDomain(piece.repeat(Math.ceil(65_536 / piece.length))).ok).toBe(false);
      expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
    },
  );
});
