import { describe, expect, test } from "vitest";
import { readServiceRows } from "./read-services.ts";
import type { ServiceName } from "./table.ts";

/** Returns the fields of each website, and what the warnings list. */
function read(name: ServiceName, content: unknown) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const { rows, warnings = [] } = readServiceRows(text, name);
  const listed = warnings.map((warning) => (typeof warning === "string" ? { head: warning, things: [] } : warning));
  const linesOf = (head: RegExp) => listed.filter((warning) => head.test(warning.head)).flatMap(({ things }) => things);
  return {
    websites: rows.map((row) => ("fields" in row ? row.fields : row.problem)),
    refusedValues: linesOf(/^These values are not imported/),
    differences: linesOf(/mean something else/),
    settings: linesOf(/^These settings are not imported/),
    links: linesOf(/^Whoever has a link/),
    passwords: linesOf(/^A password/),
    aliases: linesOf(/^Other addresses/),
    joined: linesOf(/^Sites of one host/),
    anyCase: linesOf(/in any case/),
    dropped: linesOf(/^These fields have no place/),
    absent: linesOf(/^The file does not contain/),
  };
}

const plain = { domain: "a.example", privacy: "private", exclude_bots: true, exclude_ips: [], exclude_params: [] };
const goatCounter = (setttings: object) => ({ sites: [{ link_domain: "a.example", setttings }] });
const swetrix = (project: object) => ({ results: [{ origins: ["a.example"], websiteUrl: null, ...project }] });
const rybbit = (site: object) => ({ sites: [{ domain: "a.example", ...site }] });

/** Returns what a list of Matomo becomes, and what is said of its entries. */
function exclude(field: "excluded_ips" | "excluded_parameters", value: string) {
  const { websites, ...said } = read("matomo", [{ idsite: 1, main_url: "https://a.example", [field]: value }]);
  const [website] = websites as { exclude_ips?: string[]; exclude_params?: string[] }[];
  return { entries: website?.[field === "excluded_ips" ? "exclude_ips" : "exclude_params"], ...said };
}

describe("of each service, the fields that it has are imported", () => {
  const rules = '[{"inet":"203.0.113.7","action":"deny"},{"inet":"198.51.100.1","action":"allow"}]';
  test.each([
    ["plausible", `{"sites":[{"domain":"a.example","public":true,"shield_rules_ip":${rules}}]}`, "public", true],
    ["plausible", "domain,public,shield_rules_ip\na.example,f,203.0.113.7\n", "private", true],
    ["plausible", "domain,public,shield_rules_ip\na.example,t,203.0.113.7\n", "public", true],
    ["matomo", '[{"idsite":3,"main_url":"http://a.example/","excluded_ips":"203.0.113.7"}]', "private", true],
    ["matomo", '{"3":{"idsite":3,"main_url":"https://a.example","excluded_ips":"203.0.113.7"}}', "private", true],
    ["goatcounter", goatCounter({ public: "public", ignore_ips: ["203.0.113.7"] }), "public", true],
    ["swetrix", swetrix({ public: true, botsProtectionLevel: "off", ipBlacklist: ["203.0.113.7"] }), "public", false],
    [
      "swetrix",
      swetrix({ public: false, botsProtectionLevel: "basic", ipBlacklist: ["203.0.113.7"] }),
      "private",
      true,
    ],
    ["rybbit", rybbit({ public: true, blockBots: false, excludedIPs: ["203.0.113.7"] }), "public", false],
    ["rybbit", "domain,public,blockBots,excludedIPs\na.example,TRUE,FALSE,203.0.113.7\n", "public", false],
  ] as const)("%s %j", (name, content, privacy, exclude_bots) => {
    const exclude_ips = ["203.0.113.7"];
    expect(read(name, content).websites).toEqual([{ ...plain, privacy, exclude_bots, exclude_ips }]);
  });

  test.each([
    ["umami", { data: [{ id: "6f", domain: "a.example", shareId: null }], count: 1 }],
    ["cloudflare", { result: [{ site_tag: "x", ruleset: { zone_name: "a.example", enabled: true } }] }],
    ["cloudflare", { result: [{ site_tag: "x", host: "a.example" }] }],
  ] as const)("%s %j, which has none", (name, content) => {
    expect(read(name, content).websites).toEqual([plain]);
  });

  test("in the order of several answers, whose array is one file", () => {
    const page = (host: string) => ({ data: [{ domain: host }], count: 2 });
    const { websites, absent } = read("umami", [page("a.example"), page("b.example")]);
    expect(websites).toMatchObject([{ domain: "a.example" }, { domain: "b.example" }]);
    expect(absent).not.toContain("the other pages of the list");
  });
});

describe("who may see the statistics is not changed in silence", () => {
  test.each([
    ["umami", { data: [{ domain: "a.example", shareId: "Xy12" }] }],
    ["umami", "domain,share_id\na.example,Xy12\n"],
    ["goatcounter", goatCounter({ public: "secret", secret: "Xy12" })],
    ["rybbit", rybbit({ public: false, privateLinkKey: "Xy12" })],
  ] as const)("a link: %s %j", (name, content) => {
    const { websites, links } = read(name, content);
    expect(websites).toMatchObject([{ privacy: "private" }]);
    expect(links).toEqual(["a.example"]);
  });

  test("a password protects what is public", () => {
    const { websites, passwords } = read("swetrix", swetrix({ public: true, isPasswordProtected: true }));
    expect(websites).toMatchObject([{ privacy: "private" }]);
    expect(passwords).toEqual(["a.example"]);
  });

  test("a table without the column that says it is named", () => {
    expect(read("umami", "domain\na.example\n").absent).toContain("shareId");
  });

  test("what the user anonymous of Matomo sees is public", () => {
    const sites = [1, 2].map((idsite) => ({ idsite, main_url: `https://s${idsite}.example`, alias_urls: [] }));
    const all = read("matomo", [sites, { value: false }, { value: "" }, [{ site: "2", access: "view" }]]);
    expect(all.websites).toMatchObject([{ privacy: "private" }, { privacy: "public" }]);
    expect(all.absent).toHaveLength(2);
    const error = { result: "error", message: "You need superuser access." };
    const some = read("matomo", [sites, error, { value: "" }, error]);
    expect(some.websites).toMatchObject([{ privacy: "private" }, { privacy: "private" }]);
    expect(some.absent).toContain("sites that anyone may see, which become private");
    expect(some.absent).toContain("addresses that are excluded from all sites");
    expect(some.absent).not.toContain("parameters that are excluded from all sites");
  });
});

describe("a parameter of Matomo", () => {
  test.each([
    ["ref,utm_campaign", ["ref", "utm_campaign"]],
    ["/^utm_/", ["utm_*"]],
    ["/^utm_.*$/i", ["utm_*"]],
    ["#^mc_#", ["mc_*"]],
    ["/^a\\.b-c$/", ["a.b-c"]],
    ["/utm_", ["/utm_"]],
    ["_ga_d,gr%c3%b6%C3%9fe", ["_ga_d", "größe"]],
  ])("%s is carried as Matomo judges, but for its case", (text, entries) => {
    const said = exclude("excluded_parameters", text);
    expect(said.entries).toEqual(entries);
    expect(said.anyCase).toEqual([`a.example: excluded_parameters ${entries.join(", ")}`]);
    expect(said.refusedValues).toEqual([]);
  });

  const patterns = "/session/ /^utm_.+/ /^(a|b)$/ /^a.b$/ /^utm_\\*$/ /^utm%5f/ /^\\D+$/ (utm_) [a] _ga_ /^/ /^a\\\\b/";
  test.each(patterns.split(" "))("%s is named as a regular expression", (text) => {
    const { entries, refusedValues } = exclude("excluded_parameters", text);
    expect(entries).toEqual([]);
    const advice = 'is a regular expression; add names, or prefixes like "utm_*"';
    expect(refusedValues).toEqual([`a.example: excluded_parameters ${JSON.stringify(text)}: ${advice}`]);
  });

  test("that matches nothing there is named", () => {
    const { entries, refusedValues } = exclude("excluded_parameters", "utm_*,größe,a b");
    expect(entries).toEqual([]);
    expect(refusedValues).toEqual([
      expect.stringContaining('a.example: excluded_parameters "utm_*", "größe": matches nothing there'),
      expect.stringContaining('a.example: excluded_parameters "a b": contains a space'),
    ]);
  });
});

describe("an address of Matomo", () => {
  test.each([
    ["203.0.113.*", "203.0.113.*"],
    ["*.*.*.*", "0.0.0.0/0"],
    ["2001:db8::*", "2001:db8::/112"],
    ["2001:db8:1:*:*:*:*:*", "2001:db8:1::/48"],
  ])("%s is %s", (text, value) => {
    expect(exclude("excluded_ips", text)).toMatchObject({ entries: [value], differences: [], refusedValues: [] });
  });

  test.each(["2001:db8:*::", "2001:db8:a*", "203.*.113.*", "*:1::"])("%s is named, as Matomo ignores it", (text) => {
    const { entries, refusedValues } = exclude("excluded_ips", text);
    expect(entries).toEqual([]);
    expect(refusedValues).toEqual([expect.stringContaining(`a.example: excluded_ips "${text}": is `)]);
  });

  test.each([
    ["::ffff:203.0.113.7", "203.0.113.7", "is 203.0.113.7 here, also for visitors with IPv4"],
    ["::ffff:203.0.113.*", "203.0.0.0/16", "is 203.0.0.0/16 here, also for visitors with IPv4"],
    ["2001:db8::/1", "::/1", 'contains no IPv4 address here; add "0.0.0.0/0" if it should'],
    ["::ffff:0:0/95", "::fffe:0:0/95", 'contains no IPv4 address here; add "0.0.0.0/0" if it should'],
  ])("%s is named where one socket serves both protocols", (text, value, advice) => {
    const { entries, differences } = exclude("excluded_ips", text);
    expect(entries).toEqual([value]);
    expect(differences).toEqual([`a.example: excluded_ips "${text}": ${advice}`]);
  });

  test("and a parameter of all sites are added to those of each", () => {
    const site = { idsite: 1, main_url: "https://a.example", excluded_ips: "::1", excluded_parameters: "q" };
    const { websites } = read("matomo", [[site], { value: "203.0.113.7,::1" }, { value: "ref" }, []]);
    expect(websites).toMatchObject([{ exclude_ips: ["::1", "203.0.113.7"], exclude_params: ["q", "ref"] }]);
  });
});

test("what exceeds the entries of a website is named", () => {
  const names = Array.from({ length: 102 }, (_, index) => `p${index}`);
  const { entries, refusedValues } = exclude("excluded_parameters", names.join());
  expect(entries).toEqual(names.slice(0, 100));
  const advice = "exceeds the 100 entries of a website; join some to prefixes or networks";
  expect(refusedValues).toEqual([`a.example: exclude_params "p100", "p101": ${advice}`]);
});

describe("an address that is not a host", () => {
  test.each([
    ["https://a.example:8443/de?x=1", "https://a.example:8443/de?x=1"],
    ["a.example/blog", "https://a.example/blog"],
    ["//a.example", "a.example"],
    [" A.example ", "a.example"],
    ["http://localhost:3000", "localhost"],
    ["my site", "my site"],
    ["https://user:secret@a.example", "https://user:secret@a.example"],
    ["app://a.example", "app://a.example"],
  ])("of Umami: %s goes on as %s, which is read as its host or refused", (domain, expected) => {
    expect(read("umami", { data: [{ domain, shareId: null }] }).websites).toMatchObject([{ domain: expected }]);
  });

  test.each([null, "", " ", ["", ""], { toString: 1 }])("%j names the site", (domain) => {
    const content = [{ name: "Shop", domain }];
    expect(read("umami", content).websites).toEqual(['"Shop" has no address; add one to the file']);
  });
});

describe("other addresses of a site", () => {
  test("become websites with its settings, and are named", () => {
    const urls = ["a.example", "www.a.example", "b.example/x", "localhost", "c.example"].map((url) => `http://${url}`);
    const sites = [
      { idsite: 1, main_url: urls[0], alias_urls: urls, excluded_ips: "203.0.113.7" },
      { idsite: 2, main_url: "https://c.example", alias_urls: [], excluded_ips: "203.0.113.8" },
    ];
    const { websites, aliases, refusedValues, joined } = read("matomo", sites);
    expect(websites).toMatchObject([
      { domain: "a.example", exclude_ips: ["203.0.113.7"] },
      { domain: "b.example", exclude_ips: ["203.0.113.7"] },
      { domain: "c.example", exclude_ips: ["203.0.113.8"] },
    ]);
    expect(aliases).toEqual(["a.example: www.a.example, b.example, c.example"]);
    expect(refusedValues).toEqual([expect.stringContaining('a.example: "localhost": is a single label')]);
    expect(joined).toEqual([]);
  });

  test("replace a first one that is no host", () => {
    expect(read("swetrix", [{ origins: ["localhost:3000", "a.example"] }]).websites).toMatchObject([plain]);
  });

  test("count as websites", () => {
    const origins = Array.from({ length: 100_001 }, (_, index) => `s${index}.example`);
    expect(() => read("swetrix", [{ origins }])).toThrow("The file has more than 100,000 websites.");
  });
});

test("two sites on one host become one, with the stricter settings of both, and what differs is named", () => {
  const { websites, joined } = read("rybbit", {
    sites: [
      { domain: "https://a.example/de", public: true, blockBots: false, excludedIPs: ["::1", "::2"] },
      { domain: "a.example", public: false, blockBots: true, excludedIPs: ["::2", "::3"] },
      { domain: "b.example", public: true, blockBots: true, excludedIPs: ["::2"] },
      { domain: "b.example/", public: true, blockBots: true, excludedIPs: ["::2"] },
    ],
  });
  const one = { privacy: "private", exclude_bots: true, exclude_ips: ["::1", "::2", "::3"] };
  const other = { privacy: "public", exclude_bots: true, exclude_ips: ["::2"] };
  expect(websites).toMatchObject([one, one, other, other]);
  expect(joined).toEqual(["a.example: privacy", "a.example: exclude_bots", "a.example: exclude_ips ::1, ::3"]);
});

test.each([
  ["rybbit", rybbit({ excludedCountries: ["DE"], excludedPaths: [], trackUrlParams: false })],
  ["swetrix", swetrix({ countryBlacklist: ["DE"], active: false })],
  ["cloudflare", { result: [{ host: "a.example", rules: [{}], ruleset: { enabled: false } }] }],
  ["goatcounter", goatCounter({ allow_counter: true })],
  ["matomo", [{ main_url: "https://a.example", excluded_user_agents: "curl", exclude_unknown_urls: 1 }]],
] as const)("settings of %s that change what is counted or seen are named by domain: %j", (name, content) => {
  const settings = {
    rybbit: ["excludedCountries DE", "trackUrlParams"],
    swetrix: ["countryBlacklist DE", "active"],
    cloudflare: ["rules", "enabled"],
    goatcounter: ["allow_counter"],
    matomo: ["excluded_user_agents curl", "exclude_unknown_urls"],
  };
  expect(read(name, content).settings).toEqual(settings[name].map((setting) => `a.example: ${setting}`));
});

test.each([
  ["plausible", { sites: [{ domain: "a.example" }], meta: { after: "x", before: null } }, true],
  ["plausible", { sites: [{ domain: "a.example" }], meta: { after: null, before: "x" } }, true],
  ["umami", { data: [{ domain: "a.example" }], count: 2 }, true],
  ["umami", { data: [{ domain: "a.example" }], count: { toString: 1 } }, false],
  ["swetrix", { results: [{ origins: ["a.example"] }], total: 2 }, true],
  ["cloudflare", { result: [{ host: "a.example" }], result_info: { total_count: 2 } }, true],
] as const)("of %s, one page of a longer list is noticed: %j", (name, answer, isPage) => {
  expect(read(name, answer).absent.includes("the other pages of the list")).toBe(isPage);
});

test("100 sites of Matomo can be the first of more", () => {
  const sites = Array.from({ length: 100 }, (_, index) => ({ main_url: `https://s${index}.example` }));
  expect(read("matomo", sites).absent[0]).toContain("filter_limit=-1");
  expect(read("matomo", sites.slice(1)).absent[0]).not.toContain("filter_limit=-1");
});

test("other fields with a value are named once, also inside of others", () => {
  const site = { link_domain: "a.example", cname: "x.example", code: "", setttings: { collect: 6 }, user_defaults: {} };
  expect(read("goatcounter", { sites: [site, site] }).dropped).toEqual(["collect", "cname"]);
});

test.each([
  ["plausible", { data: [] }, "The file is not a list of sites of Plausible."],
  ["matomo", [{ name: "a.example" }], "The file is not a list of sites of Matomo."],
  ["matomo", { result: "error", message: "x" }, "The file is not a list of sites of Matomo."],
  ["matomo", "<!DOCTYPE html>", "The file is HTML or XML, not JSON."],
] as const)("another answer is refused: %s %j", (name, content, message) => {
  expect(() => read(name, content)).toThrow(message);
});
