import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonArray, parseJson, parseJsonArray } from "./parse-json.ts";

/** Texts that are JSON arrays, or nearly. */
const texts = fc
  .tuple(
    fc.oneof(fc.array(fc.jsonValue(), { maxLength: 4 }).map((items) => JSON.stringify(items, undefined, 1))),
    fc.nat(),
    fc.constantFrom("", "", ",", "]", "[", "}", "{", '"', "\\", " ", "1", "\n"),
    fc.constantFrom(0, 0, 1),
  )
  .map(([text, place, inserted, removed]) => {
    const start = place % (text.length + 1);
    return text.slice(0, start) + inserted + text.slice(start + removed);
  });

test("an array that is parsed one item at a time has the items, or the fault, of the entire array", () => {
  let valid = 0;
  const property = fc.property(texts.filter(isJsonArray), (text) => {
    const items: unknown[] = [];
    const array = parseJsonArray(text, (item) => items.push(item));
    const whole = parseJson(text);
    if (whole.ok) valid += 1;
    expect(array.ok ? { ok: true, value: items } : array).toEqual(whole);
  });
  fc.assert(property, { numRuns: 2_000, examples: [["[1]2[3]"], ['["a"]"b"["c"]']] });
  expect(valid).toBeGreaterThan(200);
});
