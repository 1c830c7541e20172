import { describe, expect, test } from "vitest";
import { generateApiKey } from "./new-api-key.ts";

describe("a new API key", () => {
  test("is never created twice, and uses every character about equally often", () => {
    const keys = Array.from({ length: 5000 }, () => generateApiKey().key);
    expect(new Set(keys).size).toBe(keys.length);
    const counts = new Map<string, number>();
    for (const character of keys.flatMap((key) => [...key.slice(4, 36)])) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    // 160,000 draws: 2,580 of each on average, with a standard deviation of 50.
    for (const count of counts.values()) expect(Math.abs(count - 2580)).toBeLessThan(400);
  });
});
