import fc from "fast-check";
import { expect, test } from "vitest";
import { cutSiteFile, listKey, type TextPart } from "./cut-site-file.ts";
import { ReadingStopped } from "./reading-stopped.ts";
import { createYamlParser } from "./yaml-parser.ts";
import type { YamlValue } from "./yaml-value.ts";

test("the parts of a file say what the entire file says, and are valid only if it is", async () => {
  let valid = 0;
  const property = fc.asyncProperty(files, async (text) => {
    const whole = await read([{ text, line: 1, isWebsites: false }]);
    expect(await read(cutSiteFile(text, 1))).toEqual(whole);
    if (whole !== undefined) valid += 1;
  });
  await fc.assert(property, { numRuns: 1_000 });
  expect(valid).toBeGreaterThan(50);
});

/** Lines of a website, a list and a section, which can also be lines of a string. A key that is empty has no place, so none is. */
const contents = [
  ...[
    "-",
    "- a",
    "- b: c",
    "-\ta",
    "- - a",
    "-a",
    "- &a b",
    "- *a",
    "- {b: c",
    "- [a,",
    '- "a',
    "- 'a",
    "- |",
    "- >-2",
  ],
  ...["b: c", "b: |+", "b: >", "b: *a", "b:", "a, b: c}", "b]", 'b"', "b'", "b", "? a", "!!map"],
  ...["websites:", "# a", "", "x-a: b", "x-b:", "---", "...", "%YAML 1.2"],
];
const lines = fc
  .tuple(fc.constantFrom(0, 2, 2, 4, 4, 6), fc.constantFrom(...contents))
  .map(([indent, content]) => " ".repeat(indent) + content);
const items = fc
  .tuple(fc.constantFrom("- a", "- b: c", "- b: |", '- "a', "- [a,", "-"), fc.array(lines, { maxLength: 2 }))
  .map(([first, others]) => [`  ${first}`, ...others].join("\n"));
const sections = fc.constantFrom("x-c: &a b", "x-d: {", "x-e: |\n  websites:\n  - a", "# a", "");
const files = fc
  .tuple(sections, fc.array(items, { minLength: 1, maxLength: 4 }), fc.array(lines, { maxLength: 2 }))
  .map(([before, list, after]) => [before, "websites:", ...list, ...after].join("\n"));

/** Returns the websites and the other sections, each with its line; undefined if the parts are not valid. */
async function read(parts: readonly TextPart[]): Promise<unknown> {
  const websites: YamlValue[] = [];
  const parse = await createYamlParser((item) => websites.push(item));
  try {
    const values = parts.map((part) => ({ ...part, value: parse(part) }));
    if (values.some(({ isWebsites, value }) => (isWebsites ? value?.isWritten : value?.fields) === undefined))
      return undefined;
    const fields = values.flatMap(({ value }) => [...(value?.fields ?? [])]);
    const sections = fields.filter(([name]) => name !== listKey);
    if (new Set(sections.map(([name]) => name)).size < sections.length) return undefined;
    return { websites, sections };
  } catch (error) {
    if (error instanceof ReadingStopped) return undefined;
    throw error;
  }
}
