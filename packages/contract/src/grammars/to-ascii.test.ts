import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toAscii } from "./to-ascii.ts";

describe("a host name or a part of one", () => {
  test.each([
    ["", ""],
    ["Shop", "shop"],
    ["a_b-c.", "a_b-c."],
    ["1.2", "1.2"],
    ["１２", "12"],
    ["bücher", "xn--bcher-kva"],
    ["Bücher.Example", "xn--bcher-kva.example"],
    ["xn--bcher-kva", "xn--bcher-kva"],
    [".ü", ".xn--tda"],
  ])("%j is mapped to %j", (text, ascii) => {
    expect(toAscii(text)).toBe(ascii);
  });

  const refused = [
    "ü/x",
    "ü?x",
    "u@ü",
    "ü:80",
    "%C3%BC",
    "ü x",
    "[ü]",
    "\u0000ü",
    "xn--a",
    "\ud800",
    "a\ufe50b.example",
  ];
  test.each(refused)("%j is refused, because the rules refuse it or read it as more than a host", (text) => {
    expect(toAscii(text)).toBeUndefined();
  });

  test("never throws, and is mapped to lowercase ASCII that is mapped to itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const ascii = toAscii(text);
        fc.pre(ascii !== undefined);
        expect(ascii).toMatch(/^[a-z0-9_.-]*$/);
        expect(toAscii(ascii ?? "")).toBe(ascii);
      }),
    );
  });
});
