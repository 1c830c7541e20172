import { describe, expect, it } from "vitest";
import { compareKeys } from "./copied-rows.ts";

describe("the keys of rows", () => {
  it("compare column by column: numbers by value, strings by bytes", () => {
    const key = { key: ["account", "name"] };
    const rows = [
      { account: 9, name: "b" },
      { account: 10, name: "B" },
      { account: 10, name: "a" },
      { account: 10, name: "\uff5e" },
      { account: 10, name: "\u{1f418}" },
    ];
    expect(rows.toReversed().toSorted((left, right) => compareKeys(key, left, right))).toEqual(rows);
    expect(compareKeys(key, { account: 1, name: "a" }, { account: 1, name: "a" })).toBe(0);
  });
});
