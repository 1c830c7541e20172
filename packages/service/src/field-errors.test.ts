import { describe, expect, test } from "vitest";
import { collectFieldErrors } from "./field-errors.ts";

describe("the errors of a failed validation", () => {
  test("an answer names at most 100 fields", () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `f${index}`);
    expect(Object.keys(collectFieldErrors([{ message: "unknown", keys }]))).toHaveLength(100);
  });

  test("a long name is shortened, so the answer stays small", () => {
    const errors = collectFieldErrors([{ message: "unknown", keys: ["\0".repeat(65_000), "n".repeat(200)] }]);
    expect(Object.keys(errors)).toEqual([`${"\0".repeat(200)}…`, "n".repeat(200)]);
  });
});
