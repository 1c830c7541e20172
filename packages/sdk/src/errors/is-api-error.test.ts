import { describe, expect, test, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { ConnectionError } from "./connection-error.ts";
import { InvalidArgumentError } from "./invalid-argument-error.ts";
import { isApiError } from "./is-api-error.ts";
import { isSitewardError } from "./siteward-error.ts";

const fields = {
  code: "not_found",
  status: 404,
  title: "Not found",
  detail: "No such website.",
  headers: new Headers(),
};

describe("isApiError", () => {
  test("recognizes an ApiError, and checks its code", () => {
    const error: unknown = new ApiError(fields);
    expect(isApiError(error)).toBe(true);
    expect(isApiError(error, "not_found")).toBe(true);
    expect(isApiError(error, "domain_taken")).toBe(false);
  });

  test("narrows the type to the code", () => {
    const error: unknown = new ApiError(fields);
    if (!isApiError(error, "not_found")) return expect.unreachable("the error was not recognized");
    const code: "not_found" = error.code;
    expect(code).toBe("not_found");
  });

  test("recognizes an error of another copy of the package", async () => {
    vi.resetModules();
    const copy = await import("./api-error.ts");
    const error = new copy.ApiError(fields);
    expect(error).not.toBeInstanceOf(ApiError);
    expect(isApiError(error, "not_found")).toBe(true);
  });

  test.each([
    ["a ConnectionError", new ConnectionError("cut", true)],
    [
      "an error of another package with the same name",
      Object.assign(new Error("no"), { name: "ApiError", code: "not_found" }),
    ],
    ["undefined", undefined],
    ["a string", "not_found"],
  ])("is false for %s", (_name, value) => {
    expect(isApiError(value)).toBe(false);
  });
});

describe("isSitewardError", () => {
  test("recognizes every error of the SDK and no other", () => {
    expect(isSitewardError(new ApiError(fields))).toBe(true);
    expect(isSitewardError(new InvalidArgumentError("id must be …"))).toBe(true);
    expect(isSitewardError(new TypeError("no"))).toBe(false);
  });
});

describe("an error", () => {
  test("begins its stack trace with its own name", () => {
    expect(new ApiError(fields).stack).toMatch(/^ApiError: No such website\. \(404 not_found\)/);
  });
});
