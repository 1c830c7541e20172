import { describe, expect, test } from "vitest";
import { ApiError, isApiError } from "./api-error.ts";

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

  test.each([
    [
      "an error of another package with the same name",
      Object.assign(new Error("no"), { name: "ApiError", code: "not_found" }),
    ],
    ["undefined", undefined],
  ])("is false for %s", (_name, value) => {
    expect(isApiError(value)).toBe(false);
  });
});
