import { expect, test } from "vitest";
import { decodeName } from "./decode-name.ts";

const hex = (byte: number) => `%${byte.toString(16).padStart(2, "0")}`;

test("a name of 12 MB is decoded", () => {
  const name = `${"a".repeat(12_000_000)}%41`;
  expect(decodeName(name)?.length).toBe(12_000_001);
});

test("every beginning of a character is decoded as in a form, and is malformed where that throws", () => {
  const tails = ["", "%80", "%bf%80", "%80%BF", "%7f", "a", "+"];
  for (let first = 0x7f; first <= 0xff; first += 1) {
    for (const second of [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff]) {
      for (const tail of tails) {
        const name = hex(first) + hex(second) + tail;
        expect(decodeName(name), name).toBe(decodeOrUndefined(name));
      }
    }
  }
});

function decodeOrUndefined(name: string): string | undefined {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
