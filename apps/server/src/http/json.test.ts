import { describe, expect, test } from "vitest";
import { decodeJson } from "./json.ts";

describe("a JSON body", () => {
  test.for([
    '{"a":1,"b":{"a":2,"b":3},"c":[{"a":4}]}',
    '{"a":"\\"a\\":","b":"{[","c":"a"}',
    '[{"a":1},{"a":2}]',
    '"a"',
    "null",
  ])("%s is read as JSON.parse reads it", (text) => {
    expect(decodeJson(text)).toEqual(JSON.parse(text));
  });

  test.for([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a"\n:3}',
    '{"a":1,"\\u0061":2}',
    '{"a":{"b":["}"]},"a":2}',
    '{"":1,"":2}',
    '{"\\"\\\\":1,"\\"\\\\":2}',
  ])("%s names a member twice and is refused", (text) => {
    expect(() => decodeJson(text)).toThrow(SyntaxError);
  });

  test.for(["{", "", '{"__proto__":1}', '{"constructor":{"prototype":1}}'])("%s is refused", (text) => {
    expect(() => decodeJson(text)).toThrow(SyntaxError);
  });
});
