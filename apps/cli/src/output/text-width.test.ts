import { describe, expect, test } from "vitest";
import { textWidth, truncateText } from "./text-width.ts";

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
