import { readFileSync } from "node:fs";
import { isWellFormedApiKey } from "@siteward/contract/plain";
import { expect, test } from "vitest";
import { generateApiKey } from "../src/operator/api-keys.ts";

const page = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8");
const patterns = [
  ["of the page", /```text\n(swk_.+)\n```/.exec(page)?.[1]],
  ["of the rule for gitleaks", /^regex = '''(.+)'''$/m.exec(page)?.[1]],
] as const;

test.for(patterns)(
  "the pattern for secret scanners %s in docs/operating.md finds every new key, and only the key",
  ([, pattern = "missing"]) => {
    for (let count = 0; count < 2_000; count += 1) {
      const { key, prefix } = generateApiKey();
      for (const text of [`SITEWARD_API_KEY=${key}\n`, `{"key":"${key}"}`, `curl -H 'Authorization: Bearer ${key}'`])
        expect([...text.matchAll(new RegExp(pattern, "g"))].map(([found]) => found)).toEqual([key]);
      expect(isWellFormedApiKey(key)).toBe(true);
      // A prefix is no secret.
      expect(new RegExp(pattern).test(prefix)).toBe(false);
    }
  },
);

test("a new key is never created twice, and uses every character about equally often", () => {
  const keys = Array.from({ length: 5000 }, () => generateApiKey().key);
  expect(new Set(keys).size).toBe(keys.length);
  const characters = keys.flatMap((key) => [...key.slice(4, 36)]);
  const counts = Map.groupBy(characters, (character) => character);
  expect(counts.size).toBe(62);
  // 160,000 draws: 2,580 of each on average, with a standard deviation of 50.
  for (const { length } of counts.values()) expect(Math.abs(length - 2580)).toBeLessThan(400);
});
