import { describe, expect, it } from "vitest";
import { toSearchTerm } from "./search-term.ts";

describe("toSearchTerm", () => {
  it.each([
    ["Shop", "shop"],
    ["  a.B-c ", "a.b-c"],
    ["xn--bch", "xn--bch"],
    [".", "."],
    ["BÜCHER.example.", "bücher.example."],
    ["bu\u0308cher", "bücher"],
    ["ΟΔΟΣ", "οδοσ"],
    ["faß", "faß"],
    ["STRAẞE", "straße"],
    ["İ", "i\u0307"],
    ["shop.BÜ", "shop.bü"],
    ["xn--bcher-kva.MÜ", "bücher.mü"],
    ["１２", "12"],
    ["a。b．c｡d", "a.b.c.d"],
    ["ｶﾞ", "ガ"],
    ["sof\u00adt-hyphén", "soft-hyphén"],
    ["\u0308ch", "\u0308ch"],
    ["ि", "ि"],
    ["a\u200d", "a\u200d"],
    ["1א", "1א"],
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
