import { describe, expect, test } from "vitest";
import { readServiceRows, type ServiceName } from "./services.ts";

/** Returns the fields of each website, and the lists of the warnings. */
function convert(name: ServiceName, content: unknown) {
  const { rows, warnings } = readServiceRows(typeof content === "string" ? content : JSON.stringify(content), name);
  return {
    fields: rows.map((row) => ("fields" in row ? row.fields : row.problem)),
    warnings: warnings?.flatMap((warning) => (typeof warning === "string" ? [warning] : warning.things)),
  };
}

test("sites of Plausible are private unless they are public, and addresses that are denied are excluded", () => {
  const shield_rules_ip = [
    { inet: "203.0.113.7", action: "deny" },
    { inet: "198.51.100.1", action: "allow" },
  ];
  const sites = [{ domain: "a.example", timezone: "Europe/London", custom_properties: [], shield_rules_ip }];
  expect(convert("plausible", { sites, meta: { after: null, before: null, limit: 100 } })).toEqual({
    fields: [{ domain: "a.example", privacy: "private", exclude_params: [], exclude_ips: ["203.0.113.7"] }],
    warnings: ["timezone"],
  });
  const csv = "id,domain,timezone,public\n1,a.example,Etc/UTC,t\n2,b.example,Etc/UTC,f\n";
  expect(convert("plausible", csv)).toMatchObject({
    fields: [{ privacy: "public" }, { privacy: "private" }],
    warnings: ["id", "timezone"],
  });
});

describe("Matomo", () => {
  const site = {
    idsite: "3",
    name: "Shop",
    main_url: "https://shop.example:8443/de/",
    ecommerce: "1",
    sitesearch: "0",
    excluded_ips: "203.0.113.7,10.1.*.*,2001:db8::*",
    excluded_parameters: "ref,/^sess.*/,utm_campaign",
    excluded_user_agents: "",
    group: "",
  };
  const converted = {
    fields: [
      {
        domain: "https://shop.example:8443/de/",
        privacy: "private",
        exclude_params: ["ref", "utm_campaign"],
        exclude_ips: ["203.0.113.7", "10.1.*.*"],
      },
    ],
    warnings: [
      "idsite",
      "name",
      "ecommerce",
      'item 1: excluded_ips "2001:db8::*" is a wildcard, which only IPv4 has',
      'item 1: excluded_parameters "/^sess.*/" is a regular expression',
    ],
  };

  test("the host of the main URL is the domain, unless it has more, and valid exclusions are kept", () => {
    expect(convert("matomo", [site])).toEqual(converted);
    const { fields } = convert("matomo", [{ main_url: "https://shop.example/" }]);
    expect(fields).toMatchObject([{ domain: "shop.example" }]);
  });

  test("getAllSites answers with an object by ID", () => {
    expect(convert("matomo", { "3": site })).toEqual(converted);
  });

  test.each([["shop"], [null], [["a.example"]], [{ toString: 1 }]])(
    "%j is no URL, so that the import refuses it",
    (url) => {
      const { fields } = convert("matomo", [{ main_url: url }]);
      expect(fields).toMatchObject([{ domain: url }]);
    },
  );
});

test.each([
  ["plausible", { sites: [{ domain: "a.example" }], meta: { after: "x", before: null, limit: 1 } }, true],
  ["plausible", { sites: [{ domain: "a.example" }], meta: { after: null, before: "x", limit: 1 } }, true],
  ["plausible", { sites: [{ domain: "a.example" }], meta: { after: null, before: null, limit: 100 } }, false],
  ["umami", { data: [{ domain: "a.example" }], count: 2, page: 1, pageSize: 1 }, true],
  ["umami", { data: [{ domain: "a.example" }], count: 1, page: 1, pageSize: 10 }, false],
] as const)("of %s, one page of a longer list is noticed: %j", (name, answer, isPage) => {
  const warning = "The file is one page of a longer list. Import the other pages too.";
  expect(convert(name, answer).warnings?.includes(warning)).toBe(isPage);
});

describe("Umami", () => {
  test("websites of the API are private", () => {
    const website = { id: "6f", name: "Shop", domain: "shop.example", shareId: null, teamId: null };
    expect(convert("umami", { data: [website], count: 1, page: 1, pageSize: 10 })).toEqual({
      fields: [{ domain: "shop.example", privacy: "private", exclude_params: [], exclude_ips: [] }],
      warnings: ["id", "name"],
    });
  });
});

test("an object in the place of a text is one of the fields that are not imported, and states no level", () => {
  const site = { domain: "a.example", public: { toString: 1 }, timezone: { toString: 1 }, tags: [] };
  const { fields, warnings } = convert("plausible", [site]);
  expect(fields).toMatchObject([{ privacy: "private" }]);
  expect(warnings).toEqual(["timezone"]);
});

test.each([
  ["plausible", { data: [] }, "The file is not a list of sites of Plausible."],
  ["matomo", [{ name: "a.example" }], "The file is not a list of sites of Matomo."],
  ["matomo", '<?xml version="1.0" ?>', "The file is HTML or XML, not JSON."],
  ["umami", "[", "The file is not valid JSON"],
] as const)("another answer is refused: %s %j", (name, content, message) => {
  expect(() => convert(name, content)).toThrow(message);
});
