import { describe, expect, test } from "vitest";
import { fitText, textWidth } from "./width.ts";

describe("textWidth", () => {
  test.each([
    ["example.com", 11],
    ["", 0],
    ["例え.jp", 7],
    ["한국", 4],
    ["ｅｘ", 4],
    ["e\u0301", 1],
    ["\u1112\u1161\u11ab", 2],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["❤️", 2],
    ["ünïcode", 7],
    ["हिन्दी.भारत", 10],
    ["தமிழ்", 4],
    ["ไทย", 3],
  ])("%s takes %i columns", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe("fitText", () => {
  test.each([
    ["example", 7, "example"],
    ["example", 9, "example  "],
    ["example", 6, "examp…"],
    ["例え例え", 6, "例え… "],
    ["例え", 4, "例え"],
    ["例え", 1, "…"],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
  ])("%j at %i columns, and never cuts a wide character in half", (text, width, fitted) => {
    expect(fitText(text, width)).toBe(fitted);
  });
});
