import { describe, expect, test } from "vitest";
import { type EntryGrammar, parseEntryList } from "./entry-list.ts";
import { excludeIps } from "./exclude-ips.ts";
import { excludeParams } from "./exclude-params.ts";

test("an invalid entry is described with its invisible characters as numbers, which a terminal does not obey", () => {
  const { faults } = parseEntryList("a\nutm\u202e_ecruos", excludeParams);
  expect(faults).toEqual([
    'line 2: "utm\\u{202E}_ecruos" has the invisible or formatting character U+202E at position 4; send it without that',
  ]);
});

test("an invalid entry is described by its start if it is long", () => {
  const { faults } = parseEntryList("q".repeat(5000), excludeParams);
  expect(faults).toEqual([`line 1: "${"q".repeat(60)}…" is 5000 characters long; send at most 128 characters`]);
});

describe("the number of entries", () => {
  const names = Array.from({ length: 101 }, (_, index) => `p${index}`);

  test("does not count duplicates, and is the only message, even if entries are invalid too", () => {
    const { faults } = parseEntryList([...names, ...names, ...Array<string>(50).fill("=")], excludeParams);
    expect(faults).toEqual(["has 102 different entries; send at most 100"]);
  });

  test("counts entries as they are sent, and refuses too many without parsing any", () => {
    const { grammar, parsedTexts } = recordParsing(excludeIps);
    const addresses = Array.from({ length: 30_000 }, (_, index) => `10.${index >> 8}.${index & 255}.9/24`);
    for (const input of [addresses, addresses.join(","), addresses.join("\n")]) {
      const { entries, faults } = parseEntryList(input, grammar);
      expect({ entries, faults }).toEqual({
        entries: [],
        faults: ["has 30000 different entries; send at most 500"],
      });
    }
    expect(parsedTexts).toEqual([]);
  });

  test("bounds the parsing: each different entry is parsed once, however often it is sent", () => {
    const { grammar, parsedTexts } = recordParsing(excludeParams);
    const { faults } = parseEntryList("a,b=\n".repeat(10_000), grammar);
    expect(parsedTexts).toEqual(["a", "b="]);
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toBe("has 9980 more invalid entries");
  });
});

/** Returns the same grammar, and the entries that it has parsed. */
function recordParsing(grammar: EntryGrammar): { grammar: EntryGrammar; parsedTexts: string[] } {
  const parsedTexts: string[] = [];
  const parseEntry = (text: string) => {
    parsedTexts.push(text);
    return grammar.parseEntry(text);
  };
  return { grammar: { ...grammar, parseEntry }, parsedTexts };
}
