import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxEntityTags, parseEntityTags } from "./parse-entity-tags.ts";

/** Strings of the characters that matter, so that many of them are almost a list of tags. */
const nearly = fc.string({
  unit: fc.constantFrom('"', '"', ",", " ", "\t", "W", "/", "w", "*", "a", "\\", "é", "\x7f", "\n"),
});

const opaque = fc.string({
  unit: fc.constantFrom("a", "7", "-", ",", "\\", "*", "/", "W", "'", "!", "~", "é", "\xff"),
});
const tag = fc.tuple(fc.constantFrom("", "W/"), opaque).map(([weakness, text]) => `${weakness}"${text}"`);
const space = fc.string({ unit: fc.constantFrom(" ", "\t"), maxLength: 3 });

describe("the entity tags of a condition", () => {
  it("are read by the grammar of RFC 9110 in any string", () => {
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string({ unit: "binary" })), (value) => {
        expect(parseEntityTags(value)).toEqual(parseNaively(value));
      }),
      { numRuns: 5_000 },
    );
  });

  it("are read from any list of them, with spaces, tabs and empty elements, in order", () => {
    const elements = fc.array(fc.tuple(space, fc.option(tag, { nil: "" }), space), {
      minLength: 1,
      maxLength: maxEntityTags,
    });
    fc.assert(
      fc.property(elements, (list) => {
        const tags = list.map(([, text]) => text).filter((text) => text !== "");
        const value = list.map((parts) => parts.join("")).join(",");
        expect(parseEntityTags(value)).toEqual(tags.length === 0 ? "malformed" : tags);
      }),
    );
  });

  it.each([
    ["*", "*"],
    ['"7-1"', ['"7-1"']],
    ['""', ['""']],
    ['W/"a", "b"', ['W/"a"', '"b"']],
    ['"a,b"', ['"a,b"']],
    [', ,"a" ,\t,', ['"a"']],
    ['"a\\"', ['"a\\"']],
    ['"\x80\xff"', ['"\x80\xff"']],
  ])("of %j are %j", (value, tags) => {
    expect(parseEntityTags(value)).toEqual(tags);
  });

  it.each([
    "",
    " ",
    ",",
    "7-1",
    '"',
    '"a',
    'a"',
    '"a" "b"',
    '"a""b"',
    "'a'",
    'w/"a"',
    'W"a"',
    'W/ "a"',
    "W/*",
    "*,*",
    '*, "a"',
  ])("are not read from %j", (value) => {
    expect(parseEntityTags(value)).toBe("malformed");
  });

  it.each(['"a b"', '"a\x7f"', '"a\x00"', '"\u0100"'])(
    "contain no spaces, controls or characters above Latin-1: %j",
    (value) => {
      expect(parseEntityTags(value)).toBe("malformed");
    },
  );

  it("are at most 64, and empty elements do not count", () => {
    const list = (count: number) => Array.from({ length: count }, (_, index) => `"${index}"`).join(",, ");
    expect(parseEntityTags(list(maxEntityTags))).toHaveLength(64);
    expect(parseEntityTags(list(maxEntityTags + 1))).toBe("too many");
  });
});

/** Splits at the commas that are outside of quotes, and looks at each part. */
function parseNaively(value: string): ReturnType<typeof parseEntityTags> {
  if (value === "*") return "*";
  const parts = [""];
  let isQuoted = false;
  for (const character of value) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === "," && !isQuoted) parts.push("");
    else parts.push(`${parts.pop()}${character}`);
  }
  const tags = parts.map((part) => part.replaceAll(/^[ \t]+|[ \t]+$/g, "")).filter((part) => part !== "");
  const isValid = (text: string) => {
    const quoted = text.startsWith("W/") ? text.slice(2) : text;
    if (quoted.length < 2 || !quoted.startsWith('"') || !quoted.endsWith('"')) return false;
    return [...quoted.slice(1, -1)].every((character) => {
      const code = character.codePointAt(0) ?? 0;
      return code === 0x21 || (code >= 0x23 && code <= 0x7e) || (code >= 0x80 && code <= 0xff);
    });
  };
  if (tags.length === 0 || !tags.every(isValid)) return "malformed";
  return tags.length > maxEntityTags ? "too many" : tags;
}
