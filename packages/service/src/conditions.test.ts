import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "./app-error.ts";
import { type Conditions, readConditions } from "./conditions.ts";

type EntityTags = NonNullable<Conditions["ifMatch"]>;
const maxEntityTags = 64;

/** Strings of the characters that matter, so that many of them are almost a list of tags. */
const nearly = fc.string({
  unit: fc.constantFrom('"', '"', ",", " ", "\t", "W", "/", "w", "*", "a", "\\", "é", "\x7f", "\n"),
});

describe("the entity tags of a condition", () => {
  it("are read by the grammar of RFC 9110 in any string", () => {
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string({ unit: "binary" })), (value) => {
        expect(readTags(value)).toEqual(parseNaively(value));
      }),
      { numRuns: 5_000 },
    );
  });

  it("are at most 64, and empty elements do not count", () => {
    const list = (count: number) => Array.from({ length: count }, (_, index) => `"${index}"`).join(",, ");
    expect(readTags(list(maxEntityTags))).toHaveLength(64);
    expect(readTags(list(maxEntityTags + 1))).toBe("too many");
  });
});

function readTags(value: string): EntityTags | "malformed" | "too many" | undefined {
  try {
    return readConditions({ "if-match": value }, "GET")?.ifMatch;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "malformed_request") throw error;
    return error.message.includes("has more than 64") ? "too many" : "malformed";
  }
}

/** Splits at the commas that are outside of quotes, and looks at each part. */
function parseNaively(value: string): ReturnType<typeof readTags> {
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
