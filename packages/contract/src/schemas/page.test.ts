import { describe, expect, test } from "vitest";
import { listWebsitesQuery } from "./page.ts";

const defaults = { search_by: "domain", per_page: 10, entity_tags: 0 };

describe("list websites: query parameters (docs/interface.md, sections 4 and 8)", () => {
  test("an empty query has the default of each parameter, and no search, order, page or cursor", () => {
    expect(listWebsitesQuery.parse({})).toEqual(defaults);
  });

  test.each([
    ["search", "shop", "shop"],
    ["search", "100%_", "100%_"],
    ["search", "", ""],
    ["search", "x".repeat(253), "x".repeat(253)],
    ["search_by", "domain", "domain"],
    ["sort_by", "id", "id"],
    ["sort_by", "domain", "domain"],
    ["sort", "desc", "desc"],
    ["sort", "asc", "asc"],
    ["per_page", "10", 10],
    ["per_page", "25", 25],
    ["per_page", "50", 50],
    ["per_page", "100", 100],
    ["per_page", 100, 100],
    ["page", "1", 1],
    ["page", "0", 1],
    ["page", 0, 1],
    ["page", "", 1],
    ["page", "10001", 10001],
    ["page", 2, 2],
    ["cursor", "opaque", "opaque"],
    ["changed_since", "opaque", "opaque"],
    ["entity_tags", "0", 0],
    ["entity_tags", "1", 1],
    ["entity_tags", 1, 1],
  ])("%s accepts %j", (parameter, text, value) => {
    expect(listWebsitesQuery.parse({ [parameter]: text })).toEqual({ ...defaults, [parameter]: value });
  });

  const page = "a whole number of at least 1";
  const perPage = "10, 25, 50 or 100";
  test.each([
    ["search", "x".repeat(254), "is too long; send at most 253 characters, the maximum length of a domain"],
    ["search", ["a", "b"], "was sent more than once or as an array; send it once, as a search term"],
    ["search_by", "id", 'is "id"; send "domain"'],
    ["search_by", "", 'is empty; send "domain"'],
    ["sort_by", "created_at", 'is "created_at"; send "id" or "domain"'],
    ["sort_by", ["id", "id"], 'was sent more than once or as an array; send it once, as "id" or "domain"'],
    ["sort", "DESC", 'is "DESC"; send "desc" or "asc"'],
    ["per_page", "11", `is 11; send ${perPage}`],
    ["per_page", "0", `is 0; send ${perPage}`],
    ["per_page", "010", `is "010"; send ${perPage}`],
    ["per_page", "1e2", `is "1e2"; send ${perPage}`],
    ["per_page", "", `is empty; send ${perPage}`],
    ["per_page", ["10", "25"], `was sent more than once or as an array; send it once, as ${perPage}`],
    ["page", "00", `is "00"; send ${page}`],
    ["page", " ", `is " "; send ${page}`],
    ["page", ["0", ""], `was sent more than once or as an array; send it once, as ${page}`],
    ["page", "-1", `is "-1"; send ${page}`],
    ["page", "1.5", `is "1.5"; send ${page}`],
    ["page", "9".repeat(16), `is "${"9".repeat(16)}"; send ${page}`],
    ["entity_tags", "true", 'is "true"; send 0 or 1'],
    ["entity_tags", "", "is empty; send 0 or 1"],
    [
      "cursor",
      ["a", "b"],
      "was sent more than once or as an array; send it once, as a cursor from meta.next_cursor or meta.prev_cursor",
    ],
  ])("%s refuses %j", (parameter, value, message) => {
    expect(refuse({ [parameter]: value })).toEqual([[parameter, message]]);
  });

  test.each([
    ["search", "a"],
    ["sort_by", "id"],
    ["sort_by", "domain"],
    ["sort", "desc"],
    ["page", "1"],
  ])("changed_since refuses %s %j next to it, also if it is the default", (parameter, value) => {
    const message =
      "cannot be combined with changed_since, which returns all changes in their order; send only one of the two";
    expect(refuse({ changed_since: "opaque", [parameter]: value })).toEqual([[parameter, message]]);
  });

  test.each([{ search: "" }, { search_by: "domain" }, { per_page: 100 }, { cursor: "opaque" }, { entity_tags: 1 }])(
    "changed_since accepts %j next to it",
    (others) => {
      expect(refuse({ changed_since: "opaque", ...others })).toEqual([]);
    },
  );
});

/** Returns the parameter and the message of each refusal. */
function refuse(query: unknown): [parameter: string, message: string][] {
  const issues = listWebsitesQuery.safeParse(query).error?.issues ?? [];
  return issues.map((issue) => [
    issue.code === "unrecognized_keys" ? issue.keys.join(", ") : String(issue.path[0] ?? ""),
    issue.message,
  ]);
}
