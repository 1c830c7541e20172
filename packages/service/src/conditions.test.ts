import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "./app-error.ts";
import { type Conditions, checkConditions, readConditions } from "./conditions.ts";

type EntityTags = NonNullable<Conditions["ifMatch"]>;
const maxEntityTags = 64;

/** Strings of the characters that matter, so that many of them are almost a list of tags. */
const nearly = fc.string({
  unit: fc.constantFrom('"', '"', ",", " ", "\t", "W", "/", "w", "*", "a", "\\", "é", "\x7f", "\n"),
});

const opaque = fc.string({
  unit: fc.constantFrom("a", "7", "-", ",", "\\", "*", "/", "W", "'", "!", "~", "é", "\xff"),
});
const anyTag = fc.tuple(fc.constantFrom("", "W/"), opaque).map(([weakness, text]) => `${weakness}"${text}"`);
const space = fc.string({ unit: fc.constantFrom(" ", "\t"), maxLength: 3 });

describe("the entity tags of a condition", () => {
  it("are read by the grammar of RFC 9110 in any string", () => {
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string({ unit: "binary" })), (value) => {
        expect(readTags(value)).toEqual(parseNaively(value));
      }),
      { numRuns: 5_000 },
    );
  });

  it("are read from any list of them, with spaces, tabs and empty elements, in order", () => {
    const elements = fc.array(fc.tuple(space, fc.option(anyTag, { nil: "" }), space), {
      minLength: 1,
      maxLength: maxEntityTags,
    });
    fc.assert(
      fc.property(elements, (list) => {
        const tags = list.map(([, text]) => text).filter((text) => text !== "");
        const value = list.map((parts) => parts.join("")).join(",");
        expect(readTags(value)).toEqual(tags.length === 0 ? "malformed" : tags);
      }),
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

const tag = fc.constantFrom('"a"', 'W/"a"', '"b"', 'W/"b"', '""', '"W/"', 'W/"W/"');
const tags: fc.Arbitrary<EntityTags> = fc.oneof(
  fc.constant("*" as const),
  fc.array(tag, { minLength: 1, maxLength: 3 }),
);
const sent = fc.option(tags, { nil: undefined });

describe("the conditions of a request", () => {
  it("are judged in the order of RFC 9110, section 13.2.2, whatever they are", () => {
    fc.assert(
      fc.property(fc.boolean(), sent, sent, tag, (isRead, ifMatch, ifNoneMatch, current) => {
        const verdict = judge({ isRead, ifMatch, ifNoneMatch }, current);
        expect(verdict).toBe(judgeNaively(isRead, ifMatch, ifNoneMatch, current));
      }),
      { numRuns: 2_000 },
    );
  });
});

type Verdict = "go on" | "not modified" | "If-Match failed" | "If-None-Match failed";

function judge(conditions: Conditions, current: string): Verdict {
  try {
    return checkConditions(conditions, current) ? "not modified" : "go on";
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "precondition_failed") throw error;
    return error.message.includes("If-None-Match excludes") ? "If-None-Match failed" : "If-Match failed";
  }
}

function judgeNaively(
  isRead: boolean,
  ifMatch: EntityTags | undefined,
  ifNoneMatch: EntityTags | undefined,
  current: string,
): Verdict {
  const [, currentWeakness, currentText] = /^(W\/)?"(.*)"$/.exec(current) ?? [];
  const matches = (list: EntityTags, isStrong: boolean) => {
    if (list === "*") return true;
    for (const one of list) {
      const [, weakness, text] = /^(W\/)?"(.*)"$/.exec(one) ?? [];
      const isEitherWeak = weakness !== undefined || currentWeakness !== undefined;
      if (text === currentText && !(isStrong && isEitherWeak)) return true;
    }
    return false;
  };
  if (ifMatch !== undefined && !matches(ifMatch, true)) return "If-Match failed";
  if (ifNoneMatch === undefined || !matches(ifNoneMatch, false)) return "go on";
  return isRead ? "not modified" : "If-None-Match failed";
}
