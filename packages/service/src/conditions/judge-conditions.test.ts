import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeConditions, type Verdict } from "./judge-conditions.ts";
import type { EntityTags } from "./parse-entity-tags.ts";

const tag = fc.constantFrom('"a"', 'W/"a"', '"b"', 'W/"b"', '""', '"W/"', 'W/"W/"');
const tags: fc.Arbitrary<EntityTags> = fc.oneof(
  fc.constant("*" as const),
  fc.array(tag, { minLength: 1, maxLength: 3 }),
);
const sent = fc.option(tags, { nil: undefined });

/** Whether two tags match (RFC 9110, section 8.8.3.2). */
const comparisons = [
  ['W/"1"', 'W/"1"', { strong: false, weak: true }],
  ['W/"1"', 'W/"2"', { strong: false, weak: false }],
  ['W/"1"', '"1"', { strong: false, weak: true }],
  ['"1"', 'W/"1"', { strong: false, weak: true }],
  ['"1"', '"1"', { strong: true, weak: true }],
  ['"1"', '"2"', { strong: false, weak: false }],
  ['"1"', '"1 "', { strong: false, weak: false }],
] as const;

describe("the conditions of a request", () => {
  it.each(comparisons)("compare %s with the current %s as in RFC 9110: %j", (one, current, { strong, weak }) => {
    const both = { ifMatch: undefined, ifNoneMatch: undefined };
    for (const isRead of [true, false]) {
      expect(judgeConditions({ ...both, isRead, ifMatch: [one] }, current)).toBe(strong ? "go on" : "If-Match failed");
      const expected = isRead ? "not modified" : "If-None-Match failed";
      expect(judgeConditions({ ...both, isRead, ifNoneMatch: [one] }, current)).toBe(weak ? expected : "go on");
    }
  });

  it("are judged in the order of RFC 9110, section 13.2.2, whatever they are", () => {
    fc.assert(
      fc.property(fc.boolean(), sent, sent, tag, (isRead, ifMatch, ifNoneMatch, current) => {
        const verdict = judgeConditions({ isRead, ifMatch, ifNoneMatch }, current);
        expect(verdict).toBe(judgeNaively(isRead, ifMatch, ifNoneMatch, current));
      }),
      { numRuns: 2_000 },
    );
  });
});

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
