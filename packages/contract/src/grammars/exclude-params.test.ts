import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { excludeParams } from "./exclude-params.ts";

const { maxEntries, parseEntry } = excludeParams;

test("up to 100 entries are accepted", () => {
  expect(maxEntries).toBe(100);
});

describe("an entry is stored as it is sent", () => {
  test.each([
    ["a name", "gclid"],
    ["a prefix", "utm_*"],
    ["a prefix of one character", "a*"],
    ["capitals, since parameter names are case-sensitive", "GClid"],
    ["brackets and other signs", "filter[a]-b.c~d:e;f|g"],
    ["letters beyond ASCII", "größe"],
    ["one character", "q"],
    ["128 characters", "q".repeat(128)],
    ["128 characters beyond the basic plane", "🦊".repeat(128)],
  ])("%s", (_what, text) => {
    expect(parseEntry(text)).toEqual({ ok: true, value: text });
  });
});

describe("an invalid entry is refused, and the reason says what to send instead", () => {
  const name = 'contains "&", "=", "?" or "#"; send only the parameter name, such as "gclid"';
  const space = 'contains whitespace or a control character; send a parameter name such as "gclid"';
  const inner = 'has a "*" that is not at its end; send a name, or a prefix that ends in "*", such as "utm_*"';

  test.each([
    ["129 characters", "q".repeat(129), "is 129 characters long; send at most 128 characters"],
    ["whitespace inside", "utm source", space],
    ["a control character", "utm\u0000", space],
    ["a value", "gclid=1", name],
    ["an ampersand", "a&b", name],
    ["a question mark", "?gclid", name],
    ["a fragment", "a#b", name],
    ["the wildcard alone", "*", 'would match every parameter; send a prefix before the "*", such as "utm_*"'],
    ["a wildcard in front", "*_id", inner],
    ["a wildcard inside", "utm_*_id", inner],
    ["two wildcards", "utm_**", inner],
    ["half of a surrogate pair", "a\udc00", "contains an unpaired surrogate; send valid Unicode"],
  ])("%s", (_what, text, reason) => {
    expect(parseEntry(text)).toEqual({ ok: false, reason });
  });
});

test("any string is parsed to an entry that is its own canonical form, or to a reason", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary", minLength: 1 }), fc.stringMatching(/^[a-z*=&_ ]{1,6}$/)),
      (text) => {
        const parsed = parseEntry(text);
        if (parsed.ok) expect(parseEntry(parsed.value)).toEqual({ ok: true, value: text });
        else expect(parsed.reason).toMatch(/^(is|has|contains|would) .*; send /);
      },
    ),
  );
});
