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
  const reason = "has more than 100,000 characters; write one website per line";
  expect(await readWebsites(`${"a".repeat(100_001)}\nb.example`, { format: "list" })).toMatchObject({
    entries: [{ domain: "b.example" }],
    refused: [{ place: { number: 1 }, reason }],
  });
  expect(await readWebsites("[".repeat(100_001), { format: "ndjson" })).toMatchObject({ refused: [{ reason }] });
});

test("after a thousand problems, only the first one of each line is listed, and valid lines are still read", async () => {
  const lines = Array.from({ length: 600 }, (_, index) => `{"domain":"a${index}.example","foo":1,"bar":2}\n`);
  const { entries, refused } = await readWebsites(`${lines.join("")}"b.example"`, { format: "ndjson" });
  expect(entries.map(({ domain }) => domain)).toEqual(["b.example"]);
  expect(refused).toHaveLength(600);
  expect(refused.filter(({ reason }) => reason.includes('"foo"'))).toHaveLength(600);
  expect(refused.filter(({ reason }) => reason.includes('"bar"'))).toHaveLength(500);
});
