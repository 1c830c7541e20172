import { describe, expect, test } from "vitest";
import { problemsOf } from "../../../test/support/problems-of.ts";
import { readSiteFile } from "./read-site-file.ts";

describe("a site file", () => {
  test("lists domains alone and websites with settings, and its defaults apply to both", async () => {
    const text = `# my clients
version: 1
defaults: { privacy: private, exclude_params: [utm_*] }

websites:
  - example.com
  - domain: Shop.Example.com
    privacy: password
    password_env: SHOP_PASSWORD
    email: true
  - domain: Bücher.example
    exclude_params: []
    exclude_ips: [203.0.113.9/24, "2001:DB8::1"]
`;
    const line = (number: number) => ({ unit: "line", number });
    expect(await readSiteFile(text)).toMatchObject({
      entries: [
        { place: line(6), domain: "example.com", settings: { privacy: 1, exclude_params: ["utm_*"] } },
        {
          place: line(7),
          domain: "shop.example.com",
          settings: { privacy: 2, email: 1, exclude_params: ["utm_*"] },
          password: { env: "SHOP_PASSWORD" },
        },
        {
          place: line(11),
          domain: "xn--bcher-kva.example",
          settings: { privacy: 1, exclude_params: [], exclude_ips: ["203.0.113.0/24", "2001:db8::1"] },
        },
      ],
      problems: [],
    });
  });

  test("reads a parameter that looks like a number, a switch or null as its name, without quotes", async () => {
    const text = "version: 1\nwebsites: [{domain: example.com, exclude_params: [42, 1.50, no, true, null, 0x1F]}]";
    const { entries } = await readSiteFile(text);
    expect(entries[0]?.settings).toEqual({ exclude_params: ["42", "1.50", "no", "true", "null", "0x1F"] });
  });

  test("can share settings with anchors, aliases and merge keys", async () => {
    const text = `version: 1
websites:
  - domain: a.example
    exclude_ips: &office [203.0.113.0/24]
  - &protected
    domain: b.example
    exclude_ips: *office
    privacy: private
  - <<: *protected
    domain: c.example
`;
    const { entries, problems } = await readSiteFile(text);
    expect(problems).toEqual([]);
    expect(entries.map(({ domain, settings }) => [domain, settings])).toEqual([
      ["a.example", { exclude_ips: ["203.0.113.0/24"] }],
      ["b.example", { exclude_ips: ["203.0.113.0/24"], privacy: 1 }],
      ["c.example", { exclude_ips: ["203.0.113.0/24"], privacy: 1 }],
    ]);
  });

  test("ignores what begins with x- at its top, a place for anchors", async () => {
    const text = `x-office: &office [203.0.113.0/24, 2001:db8::1]
x-private: &private
  privacy: private
  colour: blue
version: 1
defaults: { exclude_ips: *office }
websites: [a.example]
`;
    const { entries, problems } = await readSiteFile(text);
    expect(problems).toEqual([]);
    expect(entries[0]?.settings).toEqual({ exclude_ips: ["203.0.113.0/24", "2001:db8::1"] });
    expect(await problemsOf(`${text}X-other: 1\n`)).toEqual([
      "8: X-other is unknown; use only version, lists, defaults, websites, and x-… for anchors",
    ]);
  });

  test("can name the password of all its protected websites once", async () => {
    const text = `version: 1
defaults: { privacy: password, password_file: visitors.txt }
websites: [a.example, {domain: b.example, privacy: public}, {domain: c.example, password_env: OTHER}]
`;
    const { entries, problems } = await readSiteFile(text);
    expect(problems).toEqual([]);
    expect(entries.map(({ password }) => password)).toEqual([{ file: "visitors.txt" }, undefined, { env: "OTHER" }]);
  });
});

describe("a problem", () => {
  test("of an item without text is in the line of its dash", async () => {
    expect(await problemsOf("version: 1\nwebsites:\n- a.example\n# none\n-\n- # none\n- b.example\n")).toEqual([
      expect.stringMatching(/^5: : domain is required/),
      expect.stringMatching(/^6: : domain is required/),
    ]);
  });

  test("names the line of its field and the domain, and all problems are found at once", async () => {
    const text = `version: 1
defaults:
  privacy: secret
websites:
  - example.com
  - domain: shop.example.com

    emial: on
    exclude_ips:
      - 203.0.113.7
      - 1.2.3
  - https://example.org
  - [a.example]
  - domain: EXAMPLE.com
  - domain: b.example
    password_env: B_PASSWORD
  - domain: c.example
    privacy: password
    password: correct horse
`;
    expect(await problemsOf(text)).toEqual([
      '3: privacy is "secret"; send public, private or password (0, 1 or 2)',
      '8: shop.example.com: "emial" is unknown; did you mean email?',
      expect.stringMatching(/^9: shop\.example\.com: exclude_ips entry 2: "1\.2\.3" is not an IPv4 address/),
      '12: https://example.org: domain contains a scheme; send "example.org"',
      '13: is not a website; write a domain, or a mapping with "domain:"',
      "14: example.com: is listed twice, first in line 5; remove one of them",
      "16: b.example: password_env protects nothing, because privacy is not password; " +
        'add "privacy: password", or remove it',
      "19: c.example: password is not allowed in this file; send password_env or password_file instead",
    ]);
  });

  test.each([
    ["", '1: is not a site file; write "version: 1", and "websites:" with a list of domains'],
    ["- example.com", '1: is not a site file; write "version: 1", and "websites:" with a list of domains'],
    ["websites: [example.com]", '1: version is not 1; write "version: 1", or update siteward'],
    ["version: 2\nwebsites: []", '1: version is not 1; write "version: 1", or update siteward'],
    [
      "version: 1\nwebsites:\n",
      '2: websites is not a list; write one "- example.com" for each website, or [] if there are none',
    ],
    ["version: 1", '1: websites is not a list; write one "- example.com" for each website, or [] if there are none'],
    [
      "version: 1\nwebsites: []\nsites: []",
      "3: sites is unknown; use only version, lists, defaults, websites, and x-… for anchors",
    ],
    [
      "version: 1\ndefaults: private\nwebsites: []",
      '2: defaults is not a mapping; write settings in it, such as "privacy: private"',
    ],
    [
      "version: 1\nlists: [a]\nwebsites: []",
      '2: lists is not a mapping; write a name and its entries in it, such as "office: [203.0.113.0/24]"',
    ],
    ["version: 1\ndefaults: {domain: a.example}\nwebsites: []", "2: domain is not a setting; add it to websites"],
    ["version: 1\nwebsites:\n- a.example\n- |\n  a\n  b\n", expect.stringMatching(/^4: /)],
    [
      "version: 1\nwebsites: &all [a.example, *all]",
      '2: is not a website; write a domain, or a mapping with "domain:"',
    ],
  ])("of %j is: %s", async (text, problem) => {
    expect(await problemsOf(text)).toEqual([problem]);
  });

  test.each([
    ["a syntax error", "version: 1\nwebsites: [a.example\n", /^[23]: is not valid YAML: /],
    [
      "a tab in front of a field",
      "version: 1\nwebsites:\n- domain: a.example\n\tprivacy: private",
      /^4: .*tab characters/,
    ],
    ["a second document", "version: 1\n---\nwebsites: []", /^1: is in a file of several documents/],
    ["a key that is there twice", "version: 1\nversion: 1", /^2: is not valid YAML: duplicated mapping key$/],
    ["an unknown alias", "version: 1\nwebsites: *all", /^2: is not valid YAML: unidentified alias "all"$/],
    [
      "a merge of many",
      `x-a: &a {}\nversion: 1\nwebsites: [{<<: [${"*a,".repeat(101)}]}]`,
      /^3: is not valid YAML: abnormal merge sequence size$/,
    ],
  ])("is found in %s", async (_what, text, problem) => {
    expect((await problemsOf(text))[0]).toMatch(problem);
  });
});
