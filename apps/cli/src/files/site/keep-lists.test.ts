import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildWebsite } from "../../../test/support/build-website.ts";
import { formatSiteFile } from "./format.ts";
import { type EarlierFile, foldLists, readEarlierSiteFile } from "./keep-lists.ts";
import { readSiteFile } from "./read-site-file.ts";

const earlier = `version: 1
lists: # shared
  office: [203.0.113.9/24, "2001:DB8::1"]
  vpn: ["@home", 198.51.100.7]
  home: 192.0.2.1, 192.0.2.2
  ads: [utm_*, "@@ref"]
  later: []
  unused: ["?"]
defaults: { exclude_ips: ["@office"] }
websites:
  - a.example
  - domain: b.example
    exclude_ips: [10.0.0.1, "@vpn", "@later", 10.0.0.2]
    exclude_params: ["@ads", "@@x", y]
  - domain: c.example
    exclude_ips: []
    exclude_params: [utm_*]
`;

const office = ["203.0.113.0/24", "2001:db8::1"];
const vpn = ["192.0.2.1", "192.0.2.2", "198.51.100.7"];

async function keptOf(text: string): Promise<EarlierFile> {
  const read = await readEarlierSiteFile(text);
  if ("problem" in read) throw new Error(read.problem.problem);
  return read;
}

/** Returns the lists of the websites of an export over the earlier file, by domain. */
async function exported(websites: Parameters<typeof buildWebsite>[]): Promise<string> {
  const text = await formatSiteFile(
    websites.map((website) => buildWebsite(...website)),
    await keptOf(earlier),
  );
  return text.slice(text.indexOf("version"));
}

const head = `version: 1
lists:
  office:
    - 203.0.113.9/24
    - 2001:DB8::1
  vpn:
    - "@home"
    - 198.51.100.7
  home:
    - 192.0.2.1
    - 192.0.2.2
  ads:
    - utm_*
    - "@@ref"
  later: []
  unused:
    - "?"
`;

describe("an export over a file with lists", () => {
  test("names them in the same websites and defaults as the file, if the account has all their entries", async () => {
    const text = await exported([
      [1, "a.example", { exclude_ips: [...office, "10.1.1.1"] }],
      [2, "b.example", { exclude_ips: ["10.0.0.1", ...vpn], exclude_params: ["utm_*", "@ref", "@x"] }],
      [3, "c.example", { exclude_ips: office, exclude_params: ["utm_*", "@ref"] }],
    ]);
    expect(text).toBe(`${head}websites:
  - domain: a.example
    exclude_ips:
      - "@office"
      - 10.1.1.1
  - domain: b.example
    exclude_params:
      - "@ads"
      - "@@x"
    exclude_ips:
      - 10.0.0.1
      - "@vpn"
      - "@later"
  - domain: c.example
    exclude_params:
      - utm_*
      - "@@ref"
    exclude_ips:
      - 203.0.113.0/24
      - 2001:db8::1
`);
  });

  test("writes the entries if one of them is not in the account", async () => {
    const text = await exported([[1, "a.example", { exclude_ips: ["203.0.113.0/24"] }]]);
    expect(text).toContain("    exclude_ips:\n      - 203.0.113.0/24\n");
  });

  test("keeps the lists of a file with other problems, and of none that is not a site file", async () => {
    const manyProblems = `${earlier.replace("domain: c.example", "domain: c")}${"  - domain: d\n".repeat(1_500)}`;
    expect(Object.keys((await keptOf(manyProblems)).lists)).toHaveLength(6);
    for (const other of ["lists", "- lists\n- [", "version: 1\nwebsites: [lists.example]\n"])
      expect((await keptOf(other)).lists).toEqual({});
  });

  test.each([
    [
      "a list with a problem",
      earlier.replace("later: []", 'later: ["@none"]'),
      7,
      "list later (for exclude_ips) contains",
    ],
    ["a name without quotes", earlier.replace('["@ads", "@@x", y]', "[@ads]"), 14, "has @ads without quotes"],
    ["an error in JSON", '{\n  "lists": {"a": []},\n  "websites": [}', 3, "is not valid YAML"],
  ])("says why it cannot keep the lists of a file with %s", async (_what, text, number, problem) => {
    expect(await readEarlierSiteFile(text)).toEqual({
      problem: { place: { unit: "line", number }, problem: expect.stringContaining(problem) },
    });
  });
});

test("an export keeps the order of the file that it replaces, and lists new websites behind, sorted", async () => {
  const websites = ["a.example", "b.example", "c.example", "d.example"].map((domain) => buildWebsite(1, domain));
  const text = await formatSiteFile(
    websites,
    await keptOf("version: 1\nwebsites: [d.example, x.example, b.example]\n"),
  );
  expect(text).toMatch(/- d\.example\n.*- b\.example\n.*- a\.example\n.*- c\.example\n$/);
});

test("a parameter that begins with the sign of lists is exported so that it is read as a parameter", async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^@{0,3}[a-z@]{1,5}$/), async (parameter) => {
      const text = await formatSiteFile([buildWebsite(1, "a.example", { exclude_params: [parameter] })]);
      const { entries } = await readSiteFile(text);
      expect(entries).toMatchObject([{ settings: { exclude_params: [parameter] } }]);
    }),
  );
});

test("names with entries stand for the same entries as before, whatever the lists have in common", () => {
  const letters = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"));
  const lists = fc
    .array(letters, { maxLength: 4 })
    .map((all) => all.map((entries, index) => ({ name: `l${index}`, entries })));
  fc.assert(
    fc.property(letters, lists, (entries, all) => {
      const parts = foldLists(entries, all);
      const entriesOf = (name: string) => all.find((list) => list.name === name)?.entries ?? [];
      const written = parts.flatMap((part) => (part.startsWith("@") ? entriesOf(part.slice(1)) : [part]));
      expect(new Set(written)).toEqual(new Set(entries));
      const complete = all.filter((list) => list.entries.every((entry) => entries.includes(entry)));
      const named = parts.filter((part) => part.startsWith("@"));
      expect(named.toSorted()).toEqual(complete.map(({ name }) => `@${name}`));
    }),
  );
});
