import { describe, expect, test } from "vitest";
import { contract } from "./contract.ts";
import { errorCodes } from "./error-codes.ts";

describe.each(Object.entries(errorCodes))("%s", (_code, { title, meaning, remedy }) => {
  test("has a title of its own, and a meaning and a remedy in sentences", () => {
    const titles = Object.values(errorCodes).map((description) => description.title);
    expect(titles.filter((other) => other === title)).toHaveLength(1);
    expect(title).toMatch(/^[A-Z].*[a-z]$/);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    expect(remedy).toMatch(/^[A-Z].*\.$/);
  });
});

test("every code is declared by an operation, except the one for an unsupported method", () => {
  const declared = Object.values(contract)
    .flatMap((named) => Object.values(named))
    .flatMap(({ metadata }): readonly string[] => metadata.errors);
  expect(new Set([...declared, "method_not_allowed"])).toEqual(new Set(Object.keys(errorCodes)));
});
