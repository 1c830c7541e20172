import { describe, expect, test } from "vitest";
import { numbered } from "../../../test/support/numbered.ts";
import { problemsOf } from "../../../test/support/problems-of.ts";
import { readSiteFile } from "./read-site-file.ts";

const lists = `version: 1
lists:
  office: [203.0.113.9/24, "2001:DB8::1"]
  vpn: 198.51.100.7, 198.51.100.8
  all: ["@office", 192.0.2.1, "@vpn"]
  ads: [utm_*, gclid, "@@ref"]
`;
const [office, vpn] = [
  ["203.0.113.0/24", "2001:db8::1"],
  ["198.51.100.7", "198.51.100.8"],
];

const addresses = (count: number, second = 0, end = ""): string =>
  numbered(count, (at) => `10.${second}.${at >> 8}.${at & 255}${end}, `);

async function settingsOf(text: string): Promise<readonly unknown[]> {
  const { entries, problems } = await readSiteFile(text);
  expect(problems).toEqual([]);
  return entries.map(({ settings }) => settings);
}

describe("the name of a list in a setting", () => {
  test.each([
    ["alone", '["@office"]', office],
    ["in a string with commas", '"@office, 10.0.0.1, @vpn"', [...office, "10.0.0.1", ...vpn]],
    ["among entries, in their order", '[10.0.0.1, "@vpn", 203.0.113.0/24, "@office"]', ["10.0.0.1", ...vpn, ...office]],
    ["of a list of lists", '["@all"]', [...office, "192.0.2.1", ...vpn]],
    ["twice, and next to its entries", '["@vpn, 198.51.100.8", "@vpn"]', vpn],
  ])("is replaced by the entries of the list: %s", async (_how, value, entries) => {
    const settings = await settingsOf(`${lists}websites: [{domain: a.example, exclude_ips: ${value}}]`);
    expect(settings).toEqual([{ exclude_ips: entries }]);
  });

  test("means the same in defaults, in parameters, and if the lists are below the websites", async () => {
    const settings = [
      { exclude_ips: vpn, exclude_params: ["utm_*", "gclid", "@ref"] },
      { exclude_ips: office, exclude_params: ["b"] },
    ];
    const [head = "", section = ""] = [lists.slice(0, 11), lists.slice(11)];
    const websites = 'websites: [a.example, {domain: b.example, exclude_ips: ["@office"], exclude_params: [b]}]\n';
    const defaults = 'defaults: { exclude_ips: ["@vpn"], exclude_params: ["@ads"] }\n';
    expect(await settingsOf(`${lists}${defaults}${websites}`)).toEqual(settings);
    expect(await settingsOf(`${head}${websites}${defaults}${section}`)).toEqual(settings);
  });

  test("needs no memory for each website that names the same lists", async () => {
    const items = numbered(3_000, (at) => `- domain: a${at}.example\n  exclude_ips: ["@many"]\n`);
    const { entries } = await readSiteFile(`version: 1\nlists: {many: [${addresses(500)}]}\nwebsites:\n${items}`);
    expect(new Set(entries.map(({ settings }) => settings.exclude_ips))).toHaveProperty("size", 1);
  });
});

describe("a problem with a list has its line and its name:", () => {
  const used = 'websites: [{domain: a.example, exclude_ips: ["@a"]}]\n';

  test.each([
    [
      "a: [203.0.113.0/24, nonsense]",
      /^3: list a \(for exclude_ips\): entry 2: "nonsense" is not an IP address or network; send /,
    ],
    [
      'a: ["@b"]\n  b: [198.51.100.7, 1.2.3]',
      /^4: list b \(for exclude_ips\): entry 2: "1\.2\.3" is not an IPv4 address/,
    ],
    [
      'a: ["@b"]',
      '3: list a (for exclude_ips) contains "@b", which is not a list of the file; its lists are a, and "@@" begins an entry with "@"',
    ],
    [
      `a: ["@x"]\n${Array.from({ length: 12 }, (_, index) => `  "b${index}": []\n`).join("")}`,
      /its lists are a, b0, b1, b2, b3, b4, b5, b6, b7, b8, … and 3 more, and "@@"/,
    ],
    ['a: ["@a"]', "3: list a (for exclude_ips) contains itself (@a → @a); remove one of these names"],
    [
      'z: ["@b"]\n  a: ["@b"]\n  b: ["@c"]\n  c: ["@a"]',
      "4: list a (for exclude_ips) contains itself (@a → @b → @c → @a); remove one of these names",
    ],
    ["a: {b: c}", '3: list a is not a list of entries; write them as in "a: [203.0.113.0/24, 2001:db8::/32]", or []'],
    ['a: []\n  "b c": []', /^4: list "b c" has a name that is not valid; use up to 64 letters, digits, /],
  ])("%s", async (section, problem) => {
    const expected = typeof problem === "string" ? problem : expect.stringMatching(problem);
    expect(await problemsOf(`version: 1\nlists:\n  ${section}\n${used}`)).toEqual([expected]);
  });

  test("more entries than the setting can have, with those of the lists in it and in canonical form", async () => {
    const text = (one: number, other: number) =>
      `version: 1\nlists:\n  b: [${addresses(one)}]\n  c: [${addresses(other, 1)}${addresses(other, 1, "/32")}]\n  a: ["@b", "@c"]\n${used}`;
    expect(await settingsOf(text(400, 100))).toMatchObject([{ exclude_ips: { length: 500 } }]);
    expect(await problemsOf(text(400, 101))).toEqual([
      "5: list a (for exclude_ips) has 501 different entries with those of its lists; write at most 500",
    ]);
    expect(await problemsOf(text(501, 1))).toEqual([
      "3: list b (for exclude_ips) has 501 different entries with those of its lists; write at most 500",
    ]);
  });

  test("lists that are nested too deep", async () => {
    const nested = (at: number) => `  a${at}: ["${at === 0 ? "10.0.0.1" : `@a${at - 1}`}"]\n`;
    const file = (count: number) =>
      `version: 1\nlists:\n${numbered(count, nested)}websites: [{domain: a.example, exclude_ips: "@a${count - 1}"}]\n`;
    expect(await problemsOf(file(32))).toEqual([]);
    for (const count of [33, 5_000])
      expect(await problemsOf(file(count))).toEqual([
        expect.stringMatching(/^\d+: list a\d+ \(for exclude_ips\) is nested more than 32 deep in other lists/),
      ]);
  });

  test("is listed once, however many websites use the list", async () => {
    const items = numbered(5_000, (at) => `- domain: a${at}.example\n  exclude_ips: ["@a"]\n`);
    const problems = await problemsOf(`version: 1\nlists: {a: [b]}\nwebsites:\n${items}`);
    expect(problems).toEqual([expect.stringMatching(/^2: list a \(for exclude_ips\): entry 1: "b" is not/)]);
  });
});

describe("a problem with the use of a list has the line of the setting, the website and the name:", () => {
  test.each([
    [
      'exclude_ips: ["@ofice"]',
      '9: a.example: exclude_ips contains "@ofice", which is not a list of the file; its lists are office, vpn, all, ads, and "@@" begins an entry with "@"',
    ],
    [
      'exclude_params: ["@ref"]',
      '9: a.example: exclude_params contains "@ref", which is not a list of the file; its lists are office, vpn, all, ads, and "@@" begins an entry with "@"',
    ],
    ['exclude_ips: "@"', /^9: a.example: exclude_ips contains "@", which is not a list/],
    [
      'exclude_ips: ["@office", bad, "@vpn", worse]',
      /^9: a.example: exclude_ips entry 2: "bad" is not .*9: a.example: exclude_ips entry 4: "worse"/,
    ],
    ['exclude_ips: ["bad, @office, worse"]', /entry 1: "bad" is not .* exclude_ips entry 3: "worse" is not/],
    [
      'exclude_params: "@ads"\n    exclude_ips: "@ads"',
      '10: a.example: exclude_ips contains "@ads", which exclude_params uses in line 9; add a list for each of them',
    ],
    ["exclude_ips: [@office]", '9: has @office without quotes, which YAML does not allow; write "@office"'],
  ])("%s", async (setting, problem) => {
    const problems = await problemsOf(`${lists}websites:\n  - domain: a.example\n    ${setting}\n`);
    expect(problems.join(" ")).toEqual(typeof problem === "string" ? problem : expect.stringMatching(problem));
  });

  test("a list that does not exist is named for each website", async () => {
    const file = `${lists}websites: [{domain: a.example, exclude_ips: "@x"}, {domain: b.example, exclude_ips: "@x"}, c.example]`;
    const { entries, problems } = await readSiteFile(file);
    expect(problems.map(({ domain }) => domain)).toEqual(["a.example", "b.example"]);
    expect(entries.map(({ domain }) => domain)).toEqual(["c.example"]);
  });

  test("more entries than a file can repeat", async () => {
    const one = (at: number) => `- domain: a${at}.example\n  exclude_ips: ["@a", 10.1.${at >> 8}.${at & 255}]\n`;
    const websites = numbered(2_002, one);
    const problems = await problemsOf(`version: 1\nlists: {a: [${addresses(499)}]}\nwebsites:\n${websites}`);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toBe(
      "4005: a2000.example: exclude_ips names lists next to other entries, past the limit of 1,000,000 entries; state what most websites share in defaults, or split the file",
    );
  });
});

test.each([",", "\\n", "\\r"])("entries separated by %s are counted before they are split", async (separator) => {
  const text = (list: string, setting: string) =>
    `version: 1\nlists: {a: "${list}"}\nwebsites: [{domain: a.example, exclude_ips: "${setting}"}]`;
  expect(await problemsOf(text(`10.0.0.1${separator}`.repeat(50_000), "@a"))).toEqual([
    "2: is past the limit of 50,000 entries of lists; split the file",
  ]);
  expect(await problemsOf(text("10.0.0.1", `@a${separator}`.repeat(50_000)))).toEqual([
    "3: a.example: exclude_ips is past the limit of 50,000 entries of lists; split the file",
  ]);
});

test("lists that no setting uses are known, for a warning, and their entries can be anything", async () => {
  const { problems, lists: read } = await readSiteFile(
    'version: 1\nlists: {a: ["@b"], b: ["?"], c: ["@d"], d: [10.0.0.1]}\nwebsites: [{domain: a.example, exclude_ips: "@c"}]',
  );
  expect(problems).toEqual([]);
  expect(read?.unused).toEqual(["a", "b"]);
});
