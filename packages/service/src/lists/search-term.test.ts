import { describe, expect, it } from "vitest";
import { toSearchTerm } from "./search-term.ts";

describe("toSearchTerm", () => {
  it.each([
    ["Shop", "shop"],
    ["  a.B-c ", "a.b-c"],
    ["bücher", "xn--bcher-kva"],
    ["BÜCHER.example.", "xn--bcher-kva.example."],
    ["xn--bch", "xn--bch"],
    ["１２", "12"],
    ["a。b", "a.b"],
    [".", "."],
  ])("converts %j to %j", (search, term) => {
    expect(toSearchTerm(search)).toBe(term);
  });

  it.each([
    "%",
    "_",
    "a_b",
    "a/b",
    "a:80",
    "a@b",
    "b%61",
    "a b",
    '"a"',
    "a*",
    "ü/b",
    "ü%61",
    "／a",
    "\u00ad",
    "\ud800",
  ])("returns undefined for %j, which no domain can contain", (search) => {
    expect(toSearchTerm(search)).toBeUndefined();
  });
});
