import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatOfPath, guessFormat, rowFormats } from "./formats.ts";
import { readCsv, readCsvHead } from "./read-csv.ts";
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

describe("a list", () => {
  test("has one domain per line, at any line end, and comments", () => {
    expect(summaryOf(readList, "# clients\r\na.example\r\n\n  b.example # since 2024\rc.example#d")).toEqual([
      [2, { domain: "a.example" }],
      [4, { domain: "b.example" }],
      [5, { domain: "c.example#d" }],
    ]);
  });
});

describe("CSV", () => {
  test("names the line in which each record starts", () => {
    const text = 'Domain,Exclude-Params\r\na.example,"utm_*\r\nref"\r\n\r\nb.example\r\nc.example,"a ""b"""\r\n';
    expect(summaryOf(readCsv, text)).toEqual([
      [2, { domain: "a.example", exclude_params: "utm_*\nref" }],
      [5, { domain: "b.example", exclude_params: undefined }],
      [6, { domain: "c.example", exclude_params: 'a "b"' }],
    ]);
  });

  test.each([";", "\t"])("can be separated by %j, as spreadsheets write it", (delimiter) => {
    const text = ["domain", "exclude_ips"]
      .join(delimiter)
      .concat("\n", ["a.example", "10.0.0.1,10.0.0.2"].join(delimiter));
    expect(summaryOf(readCsv, text)).toEqual([[2, { domain: "a.example", exclude_ips: "10.0.0.1,10.0.0.2" }]]);
  });

  test("can have blank lines above its header", () => {
    expect(summaryOf(readCsv, "\n\ndomain;email\na.example;on\n")).toEqual([[4, { domain: "a.example", email: "on" }]]);
  });

  test("has in each line the columns of its cells, of those that are read", () => {
    const read: unknown[] = [];
    readCsv(
      "name,Domain,email,privacy\nA,a.example\nB,b.example,on,1\n",
      (row) => read.push("fields" in row && row.fields),
      { isRead: (column) => column !== "name" },
    );
    expect(read).toStrictEqual([{ domain: "a.example" }, { domain: "b.example", email: "on", privacy: "1" }]);
  });

  test("has its header read alone, so that unknown columns are refused before any line is", () => {
    const wrongBelow = 'Domain,E-Mail\n"a.example",on\n"b.exam"ple,on\n';
    expect(readCsvHead(wrongBelow)).toEqual({ columns: ["domain", "e_mail"], hasRecords: true });
    expect(readCsvHead("domain\n\n")).toEqual({ columns: ["domain"], hasRecords: false });
    const tooMany = `domain,colour\n${"a.example,red\n".repeat(100_001)}`;
    expect(readCsvHead(tooMany)).toEqual({ columns: ["domain", "colour"], hasRecords: true });
  });

  test("refuses a line with too many cells, and reads the others", () => {
    expect(summaryOf(readCsv, "domain,email\na.example,on,off\nb.example,on\n")).toEqual([
      [2, "has 3 cells, but the header has 2; put a cell with a comma in quotes"],
      [3, { domain: "b.example", email: "on" }],
    ]);
  });

  test.each([
    [";", "semicolon"],
    ["\t", "tab"],
  ])("names the separator that was found where a line has too many cells: %j", (delimiter, name) => {
    const text = "domain;exclude_ips\na.example;10.0.0.1;10.0.0.2".replaceAll(";", delimiter);
    const advice = `put a cell with a ${name} in quotes, and separate the entries of a list with commas`;
    expect(summaryOf(readCsv, text)).toEqual([[2, `has 3 cells, but the header has 2; ${advice}`]]);
  });

  test.each([
    [
      'domain,email\na.example,on\nb.ex"ample,on\nc.example,off',
      /^Line 3 of the CSV file has a quote in the wrong place\./,
    ],
    [
      'domain,email\na.example,on\n"b.example" x,on\nc.example,off',
      /^Line 3 of the CSV file has a quote in the wrong place\./,
    ],
    [
      'domain,email\na.example,on\n"b.example,on\nc.example,off',
      /^A quote that is opened in line 3 of the CSV file is not closed\.$/,
    ],
    ['domain,name\n"a.example","A\n""B"""\nb.example,"B\n""C"",\n', /opened in line 4 of the CSV file/],
    [`domain,name\n\r\na.example,"A\r\n${"b.example,B\r\n".repeat(10_000)}`, /opened in line 3 of the CSV file/],
    [
      "sep=;\r\ndomain;email\r\na.example;on",
      /^The first line of the CSV file .* \(sep=\)\. Remove this line: commas, semi/,
    ],
    [`domain,email\na.example,"${"x".repeat(100_001)}"`, /^A line of the CSV file has more than 100000 characters/],
  ])("is refused as a whole where nobody can say what the lines mean: %#", (text, message) => {
    expect(() => summaryOf(readCsv, text)).toThrow(message);
  });

  test("gives back the cells that an export protects from spreadsheets, but never changes a password", () => {
    const text = "domain,exclude_params,password\na.example,'@ref,'=correct horse\nb.example,''-x,\nc.example,'x,\n";
    expect(summaryOf(readCsv, text)).toEqual([
      [2, { domain: "a.example", exclude_params: "@ref", password: "'=correct horse" }],
      [3, { domain: "b.example", exclude_params: "'-x", password: "" }],
      [4, { domain: "c.example", exclude_params: "'x", password: "" }],
    ]);
  });

  test("is refused as a whole without a header, or with two columns of one name", () => {
    expect(() => summaryOf(readCsv, "")).toThrow("The CSV file is empty.");
    expect(() => summaryOf(readCsv, "domain,email,E-mail,Email\n")).toThrow(
      'The CSV file has two columns named "email".',
    );
  });
});

describe("JSON", () => {
  test("is an array of websites or domains, also in the data of an answer", () => {
    const items = [{ domain: "a.example", email: 1 }, "b.example", 3];
    const rows = [
      [1, { domain: "a.example", email: 1 }],
      [2, { domain: "b.example" }],
      [3, 'is not an object such as {"domain": "example.com"}'],
    ];
    expect(summaryOf(readJson, JSON.stringify(items))).toEqual(rows);
    expect(summaryOf(readJson, JSON.stringify({ data: items, meta: {} }))).toEqual(rows);
    expect(
      summaryOf(readNdjson, `${items.map((item) => JSON.stringify(item)).join("\r\n\r\n")}\r\n\r\n{"domain`),
    ).toEqual([
      [1, { domain: "a.example", email: 1 }],
      [3, { domain: "b.example" }],
      [5, 'is not an object such as {"domain": "example.com"}'],
      [7, "is not valid JSON"],
    ]);
  });

  test("can be one website, as `websites get` prints it", () => {
    expect(summaryOf(readJson, '{"domain": "a.example", "email": 1}')).toEqual([
      [1, { domain: "a.example", email: 1 }],
    ]);
  });

  test("that has its websites in another field is not called an error, though it has a message", () => {
    expect(() => summaryOf(readJson, '{"message": "hello", "websites": [{"domain": "a.example"}]}')).toThrow(
      'The file is JSON without an array of websites. Send [{"domain": "example.com"}].',
    );
    expect(() => summaryOf(readJson, '{"message": "hello"}')).toThrow('The file is an error, not websites: "hello".');
  });

  test("that is broken names the line, and never repeats the text around it", () => {
    expect(() => summaryOf(readJson, '[\n{"password": "correct horse",}]')).toThrow(
      /^The file is not valid JSON \(line 2 column 30\)\.$/,
    );
    expect(() => summaryOf(readJson, '[\n  "a.example",\n]')).toThrow(
      /^The file is not valid JSON \(line 3 column 1\)\.$/,
    );
    expect(() => summaryOf(readJson, `[\n${'"a.example",'.repeat(9_999)}\n"b.example"\n, tru]`)).toThrow(
      / \(line 4 column 6\)\.$/,
    );
    expect(() => summaryOf(readJson, '{"domain": "a.ex')).toThrow(
      /^The file is not valid JSON \(line 1 column 17\)\.$/,
    );
    expect(() => summaryOf(readJson, '["a.example",')).toThrow("The file is not valid JSON: it ends too early.");
    expect(() => summaryOf(readJson, " <!doctype html>\n")).toThrow("The file is HTML or XML, not JSON.");
    expect(() => summaryOf(readJson, "\n")).toThrow("The file is empty.");
    expect(() => summaryOf(readJson, "{}")).toThrow("The file is JSON without an array of websites.");
  });
});

describe("the format of a file", () => {
  test.each([
    ["domains.txt", "list"],
    ["Sites.CSV", "csv"],
    ["a.b/sites.jsonl", "ndjson"],
    ["siteward.yml", "yaml"],
    ["dump.json", "json"],
    ["domains", undefined],
    ["dump.toString", undefined],
  ])("follows from the name %s: %s", (path, format) => {
    expect(formatOfPath(path)).toBe(format);
  });

  test.each([
    ["a.example\nb.example\n", "list"],
    ["# domain,email\na.example", "list"],
    ["domain\na.example", "csv"],
    ['email;"Domain";privacy\n', "csv"],
    ['\n[{"domain":"a.example"}]', "json"],
    ['{\n  "data": []\n}', "json"],
    ['{"data":[]}', "json"],
    ['{"domain":"a.example"}\n{"domain":"b.example"}\n', "ndjson"],
    ["# my sites\n\nversion: 1\n", "yaml"],
    ["---\nwebsites: []", "yaml"],
    ["x-office: &office [203.0.113.7]\nversion: 1\n", "yaml"],
    ["", "list"],
  ])("else from its content: %j", (text, format) => {
    expect(guessFormat(text)).toBe(format);
  });
});

test("no text breaks a reader: it returns rows or throws an error for the user", async () => {
  const readers = await Promise.all(Object.values(rowFormats).map((load) => load()));
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom(" ", "\n", "\r\n", ..."domain a.example , ; \" { } [ ] : ' = #".split(" ")))
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (content) => {
      for (const read of readers) {
        try {
          read(content, (row) => expect(row.place.number).toBeGreaterThan(0));
        } catch (error) {
          expect(error).toMatchObject({ name: "CliError" });
        }
      }
    }),
    { numRuns: 500 },
  );
});
