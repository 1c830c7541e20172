import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { isWellFormedApiKey } from "@siteward/contract/plain";
import { describe, expect, test } from "vitest";
import { generateApiKey } from "../src/operator/new-api-key.ts";

const page = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8");
const patterns = [
  ["of the page", /```text\n(swk_.+)\n```/.exec(page)?.[1]],
  ["of the rule for gitleaks", /^regex = '''(.+)'''$/m.exec(page)?.[1]],
] as const;

describe.for(patterns)("the pattern for secret scanners %s in docs/operating.md", ([, pattern = "missing"]) => {
  test("finds every new key in the places where keys leak, and only the key", () => {
    for (let count = 0; count < 2_000; count += 1) {
      const { key } = generateApiKey();
      for (const text of [
        key,
        `SITEWARD_API_KEY=${key}\n`,
        `{"key":"${key}"}`,
        `curl -H 'Authorization: Bearer ${key}' https://siteward.example`,
        `const client = new Siteward({ apiKey: "${key}" });`,
      ]) {
        expect([...text.matchAll(new RegExp(pattern, "g"))].map(([found]) => found)).toEqual([key]);
      }
      expect(isWellFormedApiKey(key)).toBe(true);
    }
  });

  test("does not find the prefix of a key, which is no secret", () => {
    expect(new RegExp(pattern).test(generateApiKey().prefix)).toBe(false);
  });
});

test("the checksum of docs/operating.md is that of every new key", () => {
  expect(page.replaceAll(/\s+/g, " ")).toContain("The last 6 of the 38 characters are a checksum: the CRC-32");
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  for (let count = 0; count < 2_000; count += 1) {
    const body = generateApiKey().key.slice("swk_".length);
    const number = [...body.slice(32)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(number).toBe(crc32(body.slice(0, 32)));
  }
});
