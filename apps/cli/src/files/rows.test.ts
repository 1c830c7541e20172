import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readColumns } from "./columns.ts";
import { readCsv as parseCsv } from "./csv.ts";
import { type FileFormat, formatOfPath, guessFormat } from "./formats.ts";
import { readWebsites } from "./read-websites.ts";
import { type Row, readList, readNdjson } from "./rows.ts";

type Read = (text: string) => readonly Row[];

const readCsv: Read = (text) => readColumns(parseCsv(text)).rows;

/** Returns each row as its place with its fields or its problem. */
function summaryOf(read: Read, text: string): readonly unknown[] {
  return read(text).map((row) => [row.place.number, "fields" in row ? row.fields : row.problem]);
}

/** Returns each website of JSON as its place with its domain and settings, or what is wrong with it. */
async function readJson(text: string): Promise<readonly unknown[]> {
  const { entries, refused } = await readWebsites(text, { format: "json" });
  return [
    ...entries.map(({ place, domain, settings }) => [place.number, { domain, ...settings }]),
    ...refused.map(({ place, problem }) => [place.number, problem]),
  ];
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
      [5, { domain: "b.example" }],
      [6, { domain: "c.example", exclude_params: 'a "b"' }],
    ]);
  });

  test.each([";", "\t"])("can be separated by %j, as spreadsheets write it", (delimiter) => {
    const text = `domain${delimiter}exclude_ips\na.example${delimiter}10.0.0.1,10.0.0.2`;
    expect(summaryOf(readCsv, text)).toEqual([[2, { domain: "a.example", exclude_ips: "10.0.0.1,10.0.0.2" }]]);
  });

  test.each(["sep=;", '"sep=;"', "SEP=;"])("can begin with the line %s of Excel", (line) => {
    const text = `${line}\r\ndomain;exclude_ips\r\na.example;10.0.0.1,10.0.0.2,10.0.0.3\r\n`;
    expect(summaryOf(readCsv, text)).toEqual([[3, { domain: "a.example", exclude_ips: "10.0.0.1,10.0.0.2,10.0.0.3" }]]);
  });

  test("can have rows without a value, as a spreadsheet leaves them, also above its header", () => {
    const text = "\n;;\ndomain;email;privacy\n;;\na.example;on;\n ; ;\n;;\nb.example;;\n;;;;\n";
    expect(summaryOf(readCsv, text)).toEqual([
      [5, { domain: "a.example", email: "on", privacy: "" }],
      [8, { domain: "b.example", email: "", privacy: "" }],
    ]);
  });

  test("has in each line the fields of its cells", () => {
    const text = "id,Domain,email,privacy\n1,a.example\n2,b.example,on,1\n";
    expect(summaryOf(readCsv, text)).toStrictEqual([
      [2, { id: "1", domain: "a.example" }],
      [3, { id: "2", domain: "b.example", email: "on", privacy: "1" }],
    ]);
  });

  test("refuses a line with too many cells, and reads the others", () => {
    expect(summaryOf(readCsv, "domain,email\na.example,on,off\nb.example,on\n")).toEqual([
      [2, "has 3 cells, but the header has 2; put a cell that contains a separator in quotes"],
      [3, { domain: "b.example", email: "on" }],
    ]);
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
    ['domain,email\na.example,on\n"b.example,on\nc.example,off', /or a quote is not closed \(line 3\)\.$/],
    ['domain,name\n"a.example","A\n""B"""\nb.example,"B\n""C"",\n', /a quote is not closed \(line 4\)/],
    [`domain,name\n\r\na.example,"A\r\n${"b.example,B\r\n".repeat(10_000)}`, /a quote is not closed \(line 2\)/],
    [`domain,email\na.example,"${"x".repeat(100_001)}"`, /^A line of the CSV file has more than 100,000 characters/],
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

describe("JSON", async () => {
  test("is an array of websites or domains, also in the data of an answer", async () => {
    const items = [{ domain: "a.example", email: 1 }, "b.example", 3];
    const rows = [
      [1, { domain: "a.example", email: 1 }],
      [2, { domain: "b.example" }],
      [3, 'is not an object such as {"domain": "example.com"}'],
    ];
    expect(await readJson(JSON.stringify(items))).toEqual(rows);
    expect(await readJson(JSON.stringify({ data: items, meta: {} }))).toEqual(rows);
    expect(
      summaryOf(readNdjson, `${items.map((item) => JSON.stringify(item)).join("\r\n\r\n")}\r\n\r\n{"domain`),
    ).toEqual([
      [1, { domain: "a.example", email: 1 }],
      [3, { domain: "b.example" }],
      [5, 'is not an object such as {"domain": "example.com"}'],
      [7, "is not valid JSON"],
    ]);
  });

  test("can be one website, as `websites get` prints it", async () => {
    expect(await readJson('{"domain": "a.example", "email": 1}')).toEqual([[1, { domain: "a.example", email: 1 }]]);
  });

  test("that is broken names the line, and never repeats the text around it", async () => {
    await expect(readJson('[\n{"password": "correct horse",}]')).rejects.toThrow(/ JSON \(line 2 column 30\)\.$/);
    await expect(readJson('[\n  "a.example",\n]')).rejects.toThrow(
      /^The file is not valid JSON: it has a misplaced \]\.$/,
    );
    await expect(readJson("[secret]")).rejects.toThrow(/^The file is not valid JSON\.$/);
    await expect(readJson('{"domain": "a.ex')).rejects.toThrow(/^The file is not valid JSON \(line 1 column 17\)\.$/);
    await expect(readJson('["a.example",')).rejects.toThrow("The file is not valid JSON: it ends too early.");
    await expect(readJson(" <!doctype html>\n")).rejects.toThrow("The file is HTML or XML, not JSON.");
    await expect(readJson("{}")).rejects.toThrow("The file is JSON without an array of websites.");
  });
});

describe("the format of a file", () => {
  test.each([
    ["domains.txt", "list"],
    ["Sites.CSV", "csv"],
    ["siteward.yml", "yaml"],
    ["domains", undefined],
    ["dump.toString", undefined],
  ])("follows from the name %s: %s", (path, format) => {
    expect(formatOfPath(path)).toBe(format);
  });

  test.each([
    ["a.example\nb.example\n", "list"],
    ["# domain,email\na.example", "list"],
    ['email;"Domain";privacy\n', "csv"],
    ["sep=;\ndomain;privacy\n", "csv"],
    ['\n[{"domain":"a.example"}]', "json"],
    ['{"domain":"a.example"}\n{"domain":"b.example"}\n', "ndjson"],
    ["# my sites\n\nversion: 1\n", "yaml"],
    ["x-office: &office [203.0.113.7]\nversion: 1\n", "yaml"],
  ])("else from its content: %j", (text, format) => {
    expect(guessFormat(text)).toBe(format);
  });
});

test("no text breaks a reader: it returns websites or throws an error for the user", async () => {
  const formats: readonly FileFormat[] = ["list", "csv", "json", "ndjson", "yaml"];
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom(" ", "\n", "\r\n", ..."domain a.example , ; \" { } [ ] : ' = # - & *".split(" ")))
      .map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(...formats), async (content, format) => {
      const read = await readWebsites(content, { format }).catch((error: unknown) => error);
      if (read instanceof Error) expect(read).toMatchObject({ name: "CliError" });
      else expect(read).toMatchObject({ entries: expect.any(Array) });
    }),
    { numRuns: 500 },
  );
});
