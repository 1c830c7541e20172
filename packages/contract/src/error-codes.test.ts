import { describe, expect, test } from "vitest";
import { contract } from "./contract.ts";
import { errorCodes } from "./error-codes.ts";

test("every code has the status that clients rely on, and no other code exists", () => {
  const statuses = Object.fromEntries(Object.entries(errorCodes).map(([code, { status }]) => [code, status]));
  expect(statuses).toEqual({
    malformed_request: 400,
    unauthenticated: 401,
    insufficient_scope: 403,
    website_limit_reached: 403,
    not_found: 404,
    method_not_allowed: 405,
    domain_taken: 409,
    idempotency_in_progress: 409,
    cursor_expired: 410,
    precondition_failed: 412,
    body_too_large: 413,
    unsupported_media_type: 415,
    validation_failed: 422,
    idempotency_key_reused: 422,
    rate_limited: 429,
    change_limit_reached: 429,
    internal: 500,
    unavailable: 503,
  });
});

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
