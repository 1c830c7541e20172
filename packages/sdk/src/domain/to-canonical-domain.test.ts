import { readFileSync } from "node:fs";
import { parseDomain, toUnicodeDomain } from "@siteward/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCanonicalDomain } from "./to-canonical-domain.ts";

describe("toCanonicalDomain", () => {
  test.each([
    ["Bücher.example", "xn--bcher-kva.example"],
    [" WWW.Example.COM. ", "www.example.com"],
    ["ёж.рф", "xn--f1a7c.xn--p1ai"],
  ])("returns the form of %j that the service stores: %j", (text, domain) => {
    expect(toCanonicalDomain(text)).toBe(domain);
    expect(toCanonicalDomain(toUnicodeDomain(domain))).toBe(domain);
  });

  test.each([
    "",
    "localhost",
    "https://user:secret@example.com/",
    "203.0.113.7",
    "my_site.example",
    undefined,
    null,
    7,
    {},
    `${"a".repeat(300)}@secret@${"b".repeat(300)}`,
  ])(
    "throws an InvalidArgumentError for %j, which it names without a password and in at most 99 characters",
    (text) => {
      const named = String(text).replace(/^.*@/, "…@").slice(0, 99);
      // A program without types may pass anything.
      expect(() => toCanonicalDomain(text as string)).toThrow(
        expect.objectContaining({
          name: "InvalidArgumentError",
          message: `domain must be a host name such as "example.com", not "${named}".`,
        }),
      );
    },
  );

  test("accepts what the service accepts, and nothing else", () => {
    const pieces = fc.constantFrom(
      "a",
      "Z",
      "0x1",
      "-",
      "_",
      ".",
      "。",
      "xn--",
      "ü",
      "א",
      "\u00ad",
      "\ufeff",
      ":",
      " ",
      ".com",
    );
    const texts = fc.oneof(
      fc.domain(),
      fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseDomain(text);
        if (parsed.ok) expect(toCanonicalDomain(text)).toBe(parsed.value);
        else expect(() => toCanonicalDomain(text)).toThrow("domain must be");
      }),
      { numRuns: 2000 },
    );
  });

  test("returns each of 10,000 real domains as it is, however it is written", () => {
    const list = new URL("../../../e2e/data/top-domains.txt", import.meta.url);
    const domains = readFileSync(list, "utf8").trim().split("\n");
    expect(domains.map(toCanonicalDomain)).toEqual(domains);
    expect(domains.map((domain) => toCanonicalDomain(`${domain.toUpperCase()}.`))).toEqual(domains);
  });
});
