import fc from "fast-check";
import { expect, test } from "vitest";
import { excludeParams } from "./exclude-params.ts";

const { parseEntry } = excludeParams;

test.each([
  ["a name", "gclid"],
  ["a prefix of one character", "a*"],
  ["capitals, since parameter names are case-sensitive", "GClid"],
  ["brackets and other signs", "filter[a][sub-cat]-b.c~d:e"],
  ["signs that are rarer", "$deep_link~$a'b/@!<>"],
  ["letters beyond ASCII", "größe"],
  ["128 characters", "q".repeat(128)],
  ["128 characters beyond the basic plane", "🦊".repeat(128)],
  ["letters of other scripts with their marks", "ภาษา_हिन्दी_e\u0301"],
  ["characters that Unicode does not assign, or leaves to others", "a\u0378b\ue000"],
])("an entry is stored as it is sent %s", (_what, text) => {
  expect(parseEntry(text)).toEqual({ ok: true, value: text });
});

const name = 'contains "&", "=", "?" or "#"; send only the parameter name, such as "gclid"';
const space = 'contains a space, ";" or "|"; send names separated by commas, such as "gclid,ref"';
const inner = 'has a "*" that is not at its end; send a name, or a prefix that ends in "*", such as "utm_*"';

test.each([
  ["129 characters", "q".repeat(129), "is 129 characters long; send at most 128 characters"],
  ["whitespace inside", "utm source", space],
  ["a value", "gclid=1", name],
  ["a fragment", "a#b", name],
  ["the wildcard alone", "*", 'would match every parameter; send a prefix before the "*", such as "utm_*"'],
  ["a wildcard in front", "*_id", inner],
  ["a wildcard inside", "utm_*_id", inner],
  ["half of a surrogate pair", "a\udc00", "contains an unpaired surrogate; send valid Unicode"],
])("an invalid entry is refused, and the reason says what to send instead %s", (_what, text, reason) => {
  expect(parseEntry(text)).toEqual({ ok: false, reason });
});

test.each([..."\t\u00a0\u06dd\u202e\u200b\u200d\u{e0041}\u3164\u2800"])(
  "an invalid entry is refused, and the reason says what to send instead %j, which nobody sees",
  (sign) => {
    const number = sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    const reason = `has the invisible or formatting character U+${number} at position 2; send it without that`;
    expect(parseEntry(`🦊${sign}b`)).toEqual({ ok: false, reason });
  },
);

test("every whitespace character is a space or named by its number", () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    if (/[\p{Cc}\s]/u.test(character))
      expect(parseEntry(`a${character}b`), code.toString(16)).toMatchObject({ ok: false });
  }
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
