import { describe, expect, test } from "vitest";
import { parsePath } from "./api.ts";

describe("the path of a raw request", () => {
  test.each([
    ["websites/7", "/api/v1/websites/7", {}],
    ["/healthz", "/healthz", {}],
    ["websites?sort=asc&search=a%20b?", "/api/v1/websites", { sort: "asc", search: "a b?" }],
    ["websites/..7", "/api/v1/websites/..7", {}],
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
});
