import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBase64Url, encodeBase64Url } from "./base64-url.ts";

it("encodes a text as Node does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(encodeBase64Url(text)).toBe(Buffer.from(text).toString("base64url"));
    }),
  );
});

it("decodes base64url to the text that Node decodes it to", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(decodeBase64Url(Buffer.from(text).toString("base64url"))).toBe(text);
    }),
  );
});

it.each(["A", "AAAAA", "ü", "W10!", "W1=0"])("throws an error for %s, which is not base64url", (text) => {
  expect(() => decodeBase64Url(text)).toThrow(DOMException);
});
