import { expect, test } from "vitest";
import type { FileFormat } from "./formats.ts";
import { readWebsites } from "./read-websites.ts";

const tooMany = "The file has more than 100,000 websites. Split it into several files.";
const items = Array.from({ length: 100_001 }, (_, index) => `a${index}.example`);

test.each([
  ["a list of more websites than a file may contain", "list", () => items.join("\n"), tooMany],
  ["CSV of more websites", "csv", () => ["domain", ...items].join("\n"), tooMany],
  ["NDJSON of more websites", "ndjson", () => items.map((item) => `"${item}"`).join("\n"), tooMany],
  ["JSON of more websites", "json", () => JSON.stringify(items), tooMany],
  [
    "CSV of many columns",
    "csv",
    () => items.slice(0, 1_001).join(),
    "The CSV file has more than 1,000 columns. Remove",
  ],
] as const satisfies readonly [string, FileFormat, () => string, string][])(
  "a file of a stranger is refused: %s",
  async (_what, format, write, message) => {
    await expect(readWebsites(write(), { format })).rejects.toThrow(message);
  },
);

test("a line with more characters than any website is refused alone", async () => {
  const problem = "has more than 100,000 characters; write one website per line";
  expect(await readWebsites(`${"a".repeat(100_001)}\nb.example`, { format: "list" })).toMatchObject({
    entries: [{ domain: "b.example" }],
    refused: [{ place: { number: 1 }, problem }],
  });
  expect(await readWebsites("[".repeat(100_001), { format: "ndjson" })).toMatchObject({ refused: [{ problem }] });
});

test("ten problems of a website are described, and the other lines are read", async () => {
  const fields = Array.from({ length: 20 }, (_, index) => `"field${index}":1`).join();
  const text = `{"domain":"a.example",${fields}}\n"b.example"`;
  const { entries, refused } = await readWebsites(text, { format: "ndjson" });
  expect(entries.map(({ domain }) => domain)).toEqual(["b.example"]);
  expect(refused.map(({ problem }) => problem.split('; "').length)).toEqual([10]);
});
