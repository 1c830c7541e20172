import { describe, expect, test } from "vitest";
import { textWidth, truncateText, wrapText } from "./text-width.ts";

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

describe("truncateText", () => {
  test("returns a string that fits unchanged", () => {
    expect(truncateText("example", 7)).toBe("example");
  });

  test("never exceeds the width, and never cuts a wide character in half", () => {
    expect(truncateText("example", 6)).toBe("examp…");
    expect(truncateText("例え例え", 6)).toBe("例え…");
    expect(textWidth(truncateText("例え例え", 6))).toBeLessThanOrEqual(6);
  });
});

describe("wrapText", () => {
  test.each([
    ["a, bb, ccc", 20, ["a, bb, ccc"]],
    ["a, bb, ccc", 6, ["a, bb,", "ccc"]],
    ["a, bbbbbbbb, c", 4, ["a,", "bbbb", "bbbb", ", c"]],
    ["例え例え", 5, ["例え", "例え"]],
    ["e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]],
    ["", 5, [""]],
    ["例a例", 1, ["", "a", "", ""]],
  ])("splits %j at %i columns", (text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines);
  });
});
