import fc from "fast-check";
import { expect, test } from "vitest";
import { countCharacters } from "./characters.ts";

test("a string has as many characters as an array that it is spread into", () => {
  const anyString = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("a", "\ud83e", "\udd8a", "🦊") }),
  );
  fc.assert(
    fc.property(anyString, (text) => {
      expect(countCharacters(text)).toBe([...text].length);
    }),
  );
});
