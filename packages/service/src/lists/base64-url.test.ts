import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBase64Url, encodeBase64Url } from "./base64-url.ts";

it("encodes ASCII as Node does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
      expect(encodeBase64Url(text)).toBe(Buffer.from(text).toString("base64url"));
    }),
  );
});

it("decodes any text in Latin-1 to the bytes that Node decodes it to", () => {
  // Of other characters, Node reads only the lowest byte.
  const latin1 = fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)) });
  const digits = fc.string({ unit: fc.constantFrom(..."aZ09+/-_=. ü") });
  fc.assert(
    fc.property(fc.oneof(digits, fc.base64String(), latin1), (text) => {
      expect(decodeBase64Url(text)).toBe(Buffer.from(text, "base64url").toString("latin1"));
    }),
    { numRuns: 1000 },
  );
});
