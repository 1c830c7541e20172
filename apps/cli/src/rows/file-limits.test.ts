import { describe, expect, test } from "vitest";
import { readCsv } from "./read-csv.ts";
import { readJson } from "./read-json.ts";
import { readList } from "./read-list.ts";
import { readNdjson } from "./read-ndjson.ts";
import type { AcceptRow } from "./row.ts";

type Read = (text: string, accept: AcceptRow) => void;

/** Returns each row as its place with its fields or its problem. */
function summaryOf(read: Read, text: string): readonly unknown[] {
  const rows: unknown[] = [];
  read(text, (row) => rows.push([row.place.number, "fields" in row ? row.fields : row.problem]));
  return rows;
}

describe("a file of a stranger is refused before it is parsed as a whole:", () => {
  const tooMany = "The file has more than 100,000 websites. Split it into several files.";
  const items = Array.from({ length: 100_001 }, (_, index) => `a${index}.example`);

  test.each([
    ["a list of more websites than a file may contain", () => summaryOf(readList, items.join("\n")), tooMany],
    ["CSV of more websites", () => summaryOf(readCsv, ["domain", ...items].join("\n")), tooMany],
    ["NDJSON of more websites", () => summaryOf(readNdjson, items.map((item) => `"${item}"`).join("\n")), tooMany],
    [
      "JSON of more websites",
      () => summaryOf(readJson, JSON.stringify(items)),
      "The file has an array or object with more than 100,000 items",
    ],
    [
      "JSON of many values",
      () => summaryOf(readJson, `[${`[${"0,".repeat(99)}],`.repeat(30_001)}`),
      "The file has more than 3,000,000 values; split it",
    ],
    [
      "an object of many fields",
      () => summaryOf(readJson, `{${items.map((item) => `"${item}":1`).join()}}`),
      "The file has an array",
    ],
    [
      "arrays in arrays",
      () => summaryOf(readJson, "[".repeat(200_000)),
      "The file has arrays or objects that are nested more than",
    ],
    [
      "objects in objects",
      () => summaryOf(readJson, '{"a":'.repeat(200_000)),
      "The file has arrays or objects that are nested",
    ],
    [
      "CSV of many cells in a line",
      () => summaryOf(readCsv, `domain\r\na.example\r\n${",".repeat(100_001)}`),
      "A line of the CSV file has more than 100000 characters, or a quote is not closed (line 3).",
    ],
    [
      "CSV of many columns",
      () => summaryOf(readCsv, items.slice(0, 1_001).join()),
      "The CSV file has more than 1,000 columns. Re",
    ],
  ])("%s", (_what, read, message) => {
    expect(read).toThrow(message);
  });

  test("brackets in strings are not counted as arrays, whatever is escaped", () => {
    const parameter = `${"[".repeat(200)}"\\`;
    expect(summaryOf(readJson, JSON.stringify([{ domain: "a.example", exclude_params: [parameter] }]))).toEqual([
      [1, { domain: "a.example", exclude_params: [parameter] }],
    ]);
  });

  test("a line with more characters than any website is refused alone", () => {
    const problem = "has more than 100,000 characters; write one website per line";
    expect(summaryOf(readList, `${"a".repeat(100_001)}\nb.example`)).toEqual([
      [1, problem],
      [2, { domain: "b.example" }],
    ]);
    expect(summaryOf(readNdjson, "[".repeat(100_001))).toEqual([[1, problem]]);
  });
});
