import fc from "fast-check";
import { expect, test } from "vitest";
import { splitCommandLine } from "./request.ts";

const anyWords = fc.array(fc.string({ unit: "binary" }), { minLength: 1 });

test.each<[way: string, quote: (word: string) => string]>([
  ["single quotes", (word) => `'${word.replaceAll("'", "'\\''")}'`],
  ["double quotes", (word) => `"${word.replaceAll(/["\\$`]/g, "\\$&")}"`],
])("reads every word in %s", (_way, quote) => {
  fc.assert(
    fc.property(anyWords, (words) => {
      expect(splitCommandLine(words.map(quote).join("  "))).toEqual(words);
    }),
  );
});

test.each([
  ["siteward ", ["siteward", ""]],
  ["siteward get a\\ b", ["siteward", "get", "a b"]],
  ["siteward get 'open quo", ["siteward", "get", "open quo"]],
  ['siteward get "open \\" quo', ["siteward", "get", 'open " quo']],
  ["siteward get $(rm -rf /)", ["siteward", "get", "$(rm", "-rf", "/)"]],
  ["siteward --output=js", ["siteward", "--output=js"]],
])("reads a line as far as the cursor: %s", (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});
