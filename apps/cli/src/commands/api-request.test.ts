import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collectPairs, parseField, parsePath } from "./api-request.ts";

describe("a path", () => {
  test.each([
    ["websites", "/api/v1/websites", []],
    ["websites/7", "/api/v1/websites/7", []],
    ["/healthz", "/healthz", []],
    [
      "websites?sort=asc&search=a%20b&x",
      "/api/v1/websites",
      [
        ["sort", "asc"],
        ["search", "a b"],
        ["x", ""],
      ],
    ],
    ["websites?search=what?", "/api/v1/websites", [["search", "what?"]]],
    ["websites/..7", "/api/v1/websites/..7", []],
  ] as const)("%s", (text, path, query) => {
    expect(parsePath(text)).toEqual({ path, query });
  });

  test.each(["https://evil.example/api", "//evil.example", "javascript:1", "HTTP://x", "C:/Program Files/Git/api/v1"])(
    "%s is refused: it has an address",
    (text) => {
      expect(() => parsePath(text)).toThrow(/must not contain the address/);
    },
  );

  test.each(["", "a b", "a\n", ..."?a=b .. /.. /a/../b a/%2e%2E/b /.%2e/ ./a a\\..\\b /\\evil.example a#b".split(" ")])(
    "%j is refused",
    (text) => {
      expect(() => parsePath(text)).toThrow(/is not a path/);
    },
  );

  test("never leads out of the service, whatever it is", () => {
    const piece = fc.constantFrom("\t", ..."/ \\ . .. %2e %2F @ : ? # evil.example websites".split(" "));
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
        (text) => {
          const path = pathOf(text);
          if (path === undefined) return;
          const url = new URL(`http://siteward.example/team${path}`);
          expect(url.origin).toBe("http://siteward.example");
          expect(url.pathname).toBe(`/team${path}`);
        },
      ),
    );
  });

  function pathOf(text: string): string | undefined {
    try {
      return parsePath(text).path;
    } catch {
      return undefined;
    }
  }
});

describe("a field", () => {
  test.each([
    ["domain=example.com", ["domain", "example.com"]],
    ["privacy=1", ["privacy", 1]],
    ['note="1"', ["note", "1"]],
    ["exclude_ips=[]", ["exclude_ips", []]],
    ["note=a=b", ["note", "a=b"]],
    ["note=", ["note", ""]],
    ["note=null", ["note", null]],
  ])("%s", (text, pair) => {
    expect(parseField(text)).toEqual(pair);
  });

  test("that is repeated becomes an array", () => {
    expect(collectPairs([parseField("a=1"), parseField("b=x"), parseField("a=3")])).toEqual({ a: [1, 3], b: "x" });
  });
});
