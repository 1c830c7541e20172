import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { HelpPage } from "./help-page.ts";
import { renderHelp } from "./render-help.ts";

const words = fc
  .array(fc.stringMatching(/^[a-z<>-]{1,12}$/), { minLength: 1, maxLength: 20 })
  .map((all) => all.join(" "));
const items = fc.array(fc.record({ term: words, description: words }), { maxLength: 4 });
const anyPage: fc.Arbitrary<HelpPage> = fc.record({
  usage: words,
  summary: words,
  arguments: items,
  options: items,
  globalOptions: items,
  commands: items,
  paragraphs: fc.array(words, { maxLength: 3 }),
  examples: fc.array(words, { maxLength: 3 }),
});
const anyWidth = fc.integer({ min: 20, max: 200 });

test("every word is printed, whatever the width", () => {
  fc.assert(
    fc.property(anyPage, anyWidth, (page, widthColumns) => {
      const wordsAt = (width: number) =>
        renderHelp(page, { widthColumns: width, color: false }).split(/\s+/).toSorted();
      expect(wordsAt(widthColumns)).toEqual(wordsAt(10_000));
    }),
  );
});

test("a word that is wider than the terminal is not broken", () => {
  const page = {
    usage: "a",
    summary: "b",
    arguments: [],
    globalOptions: [],
    commands: [],
    paragraphs: [],
    examples: [],
  };
  const options = [{ term: "--remove-exclude-params <names>", description: "remove" }];
  expect(renderHelp({ ...page, options }, { widthColumns: 20, color: false })).toContain(
    "\n  --remove-exclude-params\n    <names>\n      remove\n",
  );
});

test("titles are bold if the terminal takes color, and the lines break at the same places", () => {
  fc.assert(
    fc.property(anyPage, anyWidth, (page, widthColumns) => {
      const [plain, colored] = [false, true].map((color) => renderHelp(page, { widthColumns, color }));
      expect(stripVTControlCharacters(colored ?? "")).toBe(plain);
      expect(colored?.startsWith("\u001b[1mUsage:\u001b[22m ")).toBe(true);
    }),
  );
});
