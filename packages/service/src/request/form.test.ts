import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeForm } from "./form.ts";

/** Any character. That of fast-check takes 0.8 s of a processor to build. */
const unit = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0x1_0000, max: 0x10_ffff }))
  .map((code) => String.fromCodePoint(code));

describe("a form body", () => {
  test.for([
    ["", {}],
    ["a", { a: "" }],
    ["a=", { a: "" }],
    ["&&a=1&", { a: "1" }],
    ["a=1&a=2&a=3", { a: ["1", "2", "3"] }],
    ["a[]=1", { a: "1" }],
    ["a[]=1&a=2&a%5B%5D=3", { a: ["1", "2", "3"] }],
    ["a[0]=1&a[b]=2", { "a[0]": "1", "a[b]": "2" }],
    ["a[][]=1", { "a[]": "1" }],
    ["=1", { "": "1" }],
  ] as const)("%j is read as %j", ([text, fields]) => {
    expect({ ...decodeForm(text) }).toEqual(fields);
  });

  test("1000 fields are accepted, however often each is sent, and one more is refused", () => {
    const formOf = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join("&");
    const fields = decodeForm(`${formOf(1000)}&${formOf(1000)}&${"f0=1&".repeat(5000)}`);
    expect(Object.keys(fields)).toHaveLength(1000);
    expect(fields["f0"]).toHaveLength(5002);
    expect(() => decodeForm(formOf(1001))).toThrow("body has more than 1000 fields");
    expect(() => decodeForm(formOf(1001), "query")).toThrow("query has more than 1000 fields");
  });

  test("the output of URLSearchParams is read back unchanged, whatever the names and values", () => {
    const fields = fc.dictionary(
      fc.string({ unit }).filter((name) => !name.endsWith("[]")),
      fc.string({ unit }),
    );
    fc.assert(
      fc.property(fields, (sent) => {
        const text = new URLSearchParams(Object.entries(sent)).toString();
        expect(Object.entries(decodeForm(text)).sort()).toEqual(Object.entries(sent).sort());
      }),
    );
  });
});
