import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePath } from "./api.ts";

describe("the path of a raw request", () => {
  test.each([
    ["websites/7", "/api/v1/websites/7", []],
    ["/healthz", "/healthz", []],
    [
      "websites?sort=asc&search=a%20b?",
      "/api/v1/websites",
      [
        ["sort", "asc"],
        ["search", "a b?"],
      ],
    ],
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

  test.each(["", "a b", "?a=b", "..", "/a/../b", "a/%2e%2E/b", "/.%2e/", "./a", "a\\..\\b", "/\\evil.example", "a#b"])(
    "%j is refused",
    (text) => {
      expect(() => parsePath(text)).toThrow(/is not a path/);
    },
  );

  test("never leads out of the service, whatever it is", () => {
    const piece = fc.constantFrom("\t", ..."/ \\ . .. %2e %2F @ : ? # evil.example websites".split(" "));
    const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const path = pathOf(text);
        if (path === undefined) return;
        const url = new URL(`http://siteward.example/team${path}`);
        expect(url.origin).toBe("http://siteward.example");
        expect(url.pathname).toBe(`/team${path}`);
      }),
    );
  });
});

function pathOf(text: string): string | undefined {
  try {
    return parsePath(text).path;
  } catch {
    return undefined;
  }
}
