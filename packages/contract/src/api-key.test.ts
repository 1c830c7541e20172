import fc from "fast-check";
import { expect, test } from "vitest";
import { apiKeyPrefix, apiKeySecretLength, formatApiKey, isWellFormedApiKey } from "./api-key.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomParts = fc.stringMatching(new RegExp(`^[0-9A-Za-z]{${apiKeySecretLength}}$`));
const keys = randomParts.map(formatApiKey);

test("an API key consists of swk_, 32 random characters, and the CRC-32 of these in base62", () => {
  // The checksums were computed with another CRC-32 (zlib's).
  expect(apiKeyPrefix).toBe("swk_");
  expect(formatApiKey("0".repeat(32))).toBe(`swk_${"0".repeat(32)}2wjyrI`);
  expect(formatApiKey(base62.slice(0, 32))).toBe(`swk_${base62.slice(0, 32)}1ggZdL`);
});

test("an API key is well-formed, and is not if any character is changed", () => {
  fc.assert(
    fc.property(
      keys,
      fc.nat(),
      fc.oneof(fc.constantFrom(...base62), fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
      (key, at, character) => {
        const index = at % key.length;
        fc.pre(key[index] !== character);
        expect(isWellFormedApiKey(key)).toBe(true);
        expect(isWellFormedApiKey(key.slice(0, index) + character + key.slice(index + 1))).toBe(false);
      },
    ),
    { numRuns: 2000 },
  );
});
