import { describe, expect, test } from "vitest";
import { listWebsitesQuery } from "./page.ts";

const defaults = { search_by: "domain", per_page: 10, entity_tags: 0 };

describe("list websites: query parameters (docs/interface.md, sections 4 and 8)", () => {
  test("an empty query has the default of each parameter, and no search, order, page or cursor", () => {
    expect(listWebsitesQuery.parse({})).toEqual(defaults);
  });

  const page = "a whole number of at least 1";
  const perPage = "10, 25, 50 or 100";
  test.each([
    ["search", "x".repeat(254), "is too long; send at most 253 characters, the maximum length of a domain"],
    ["search", ["a", "b"], "was sent more than once or as an array; send it once, as a search term"],
    ["search_by", "id", 'is "id"; send "domain"'],
    ["sort_by", "created_at", 'is "created_at"; send "id" or "domain"'],
    ["sort", "DESC", 'is "DESC"; send "desc" or "asc"'],
    ["per_page", "11", `is 11; send ${perPage}`],
    ["per_page", "010", `is "010"; send ${perPage}`],
    ["page", "00", `is "00"; send ${page}`],
    ["page", ["0", ""], `was sent more than once or as an array; send it once, as ${page}`],
    ["page", "9".repeat(16), `is "${"9".repeat(16)}"; send ${page}`],
    ["entity_tags", "true", 'is "true"; send 0 or 1'],
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
    ["sort_by", "domain"],
    ["sort", "desc"],
    ["page", "1"],
  ])("changed_since refuses %s %j next to it, also if it is the default", (parameter, value) => {
    const message =
      "cannot be combined with changed_since, which returns all changes in their order; send only one of the two";
    expect(refuse({ changed_since: "opaque", [parameter]: value })).toEqual([[parameter, message]]);
  });
});

/** Returns the parameter and the message of each refusal. */
function refuse(query: unknown): [parameter: string, message: string][] {
  const issues = listWebsitesQuery.safeParse(query).error?.issues ?? [];
  return issues.map((issue) => [
    issue.code === "unrecognized_keys" ? issue.keys.join(", ") : String(issue.path[0] ?? ""),
    issue.message,
  ]);
}
