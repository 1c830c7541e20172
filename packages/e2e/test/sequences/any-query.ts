import fc, { type Arbitrary } from "fast-check";
import { weighted } from "./weighted.ts";

/** A cursor of an account that does not exist. */
const unknownChanges = Buffer.from(JSON.stringify(["changes", 1, 2 ** 40, 0, 0])).toString("base64url");

/** A query string of a list with its question mark, or an empty string. */
export const anyQuery: Arbitrary<string> = weighted(
  [30, fc.record({ ...anyList(), ...anyPlace() }, { requiredKeys: [] }).map(write)],
  // A cursor belongs to a list, so this one often has the list of an earlier request.
  [12, fc.record({ ...anyFewLists(), ...anyCursor() }, { requiredKeys: ["cursor"] }).map(write)],
  [12, fc.record(anyChanges(), { requiredKeys: ["changed_since"] }).map(write)],
  [8, fc.record(anyFewLists(), { requiredKeys: [] }).map(write)],
);

function anyList() {
  return {
    sort_by: mostly(["id", "domain"], ["", "ID", "name"]),
    sort: mostly(["asc", "desc"], ["", "ASC", "up"]),
    search: anySearch(),
    search_by: mostly(["domain"], ["id", ""]),
    entity_tags: mostly(["0", "1"], ["", "true", "2"]),
  };
}

function anyFewLists() {
  return { sort: fc.constantFrom("asc", "desc"), search: fc.constant("site") };
}

function anyPlace() {
  return {
    per_page: mostly(["10", "25", "50", "100"], ["0", "11", "", "010", "1e2", "-10"]),
    page: mostly(["1", "2", "3"], ["0", "", "9", "10001", "10002", "-1", "1.5", "00", "a", "9".repeat(20)], 2),
  };
}

function anyCursor() {
  return {
    cursor: mostly(["{{cursor 0}}", "{{cursor 1}}", "{{cursor 2}}"], ["", "x", "W10", "e30", "é"]),
  };
}

function anyChanges() {
  return {
    changed_since: mostly(
      ["{{changes 0}}", "{{changes 1}}", "{{changes 2}}", "{{changes 9}}", "{{changes 30}}"],
      [unknownChanges, "", "x", "{{cursor 0}}"],
    ),
    per_page: fc.constantFrom("10", "25"),
    cursor: weighted(
      [1, fc.constantFrom("{{changes 0}}", "{{cursor 0}}", unknownChanges)],
      [9, fc.constant(undefined)],
    ),
    sort: weighted([1, fc.constant("desc")], [9, fc.constant(undefined)]),
    entity_tags: fc.constantFrom("0", "1"),
  };
}

function anySearch(): Arbitrary<string> {
  const terms = ["example", "a", "EXAMPLE.c", " shop ", ".", "-", "bücher", "xn--", "site-1", "x", "site"];
  const unicodeTerms = ["bü", "ÜCH", "u\u0308ch", "er.e", "faß", "例", "え.テ", "え。ﾃ", "\u0308", "bücher.x"];
  const oddTerms = [..."% _*'\\\u0000İ🦊", "", "%%", "..", "x".repeat(253), "x".repeat(254), "nothing"];
  return weighted(
    [8, fc.constantFrom(...terms)],
    [4, fc.constantFrom(...unicodeTerms)],
    [3, fc.constantFrom(...oddTerms)],
    [1, fc.string({ unit: "grapheme", maxLength: 5 })],
  );
}

function mostly(usual: readonly string[], others: readonly string[], weight = 1): Arbitrary<string> {
  return weighted([9, fc.constantFrom(...usual)], [weight, fc.constantFrom(...others)]);
}

function write(query: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encode(value)}`],
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** A reference to an earlier answer stays as it is. */
function encode(value: string): string {
  return value.startsWith("{{") ? value : encodeURIComponent(value.toWellFormed());
}
