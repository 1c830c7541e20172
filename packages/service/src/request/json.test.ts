import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeJson } from "./json.ts";

/** Any character. That of fast-check takes 0.8 s of a processor to build. */
const unit = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0x1_0000, max: 0x10_ffff }))
  .map((code) => String.fromCodePoint(code));

describe("a JSON body", () => {
  test.for([
    '{"a":"\\"a\\":","b":"{[","c":"a"}',
    '{"a" : 1 ,\n"b"\t: {"c":":"}, "d":[{"e":1},{"e":2}], "\\\\":"\\\\"}',
    '{"constructor":{"name":"prototype"},"prototype":1}',
    '{"a":"\\"__proto__\\":1","b\\"__proto__":1}',
  ])("%s is read as JSON.parse reads it", (text) => {
    expect(decodeJson(text)).toEqual(JSON.parse(text));
  });

  test("any JSON is read as JSON.parse reads it", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!/proto|constructor/.test(text));
        expect(decodeJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("a member that is written twice is always detected, whatever the names and values", () => {
    const fields = fc.dictionary(fc.string({ unit }), fc.jsonValue(), { minKeys: 1, noNullPrototype: true });
    fc.assert(
      fc.property(fields, (sent) => {
        const text = JSON.stringify(sent);
        // A body that names a prototype is refused for that first.
        fc.pre(!/proto|constructor/.test(text));
        const [name = ""] = Object.keys(sent);
        expect(() => decodeJson(`${text.slice(0, -1)},${JSON.stringify(name)}:0}`)).toThrow("a field twice");
      }),
    );
  });

  test("1000 members are accepted, and one more at any depth is refused", () => {
    const fieldsOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, "a:b"]));
    expect(decodeJson(JSON.stringify(fieldsOf(1000)))).toEqual(fieldsOf(1000));
    for (const value of [fieldsOf(1001), [fieldsOf(1001)], { a: fieldsOf(1000) }]) {
      expect(() => decodeJson(JSON.stringify(value))).toThrow("body has more than 1000 fields");
    }
  });

  test("1000 arrays and objects are accepted, and one more is refused", () => {
    const nest = (count: number) => "[".repeat(count) + "]".repeat(count);
    const list = (count: number) => `[${Array.from({ length: count - 1 }, () => "{}").join(",")}]`;
    for (const shape of [nest, list]) {
      expect(decodeJson(shape(1000))).toEqual(JSON.parse(shape(1000)));
      expect(() => decodeJson(shape(1001))).toThrow("body has more than 1000 arrays and objects");
    }
    expect(decodeJson(`{"a":"${"[".repeat(2000)}"}`)).toEqual({ a: "[".repeat(2000) });
  });

  test.for(["[", "{", ":"])("a body of too many %s is refused before it is parsed", (piece) => {
    expect(() => decodeJson(piece.repeat(1001))).toThrow("body has more than 1000");
  });
});
