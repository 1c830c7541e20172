import { expect, test } from "vitest";
import { apiErrors, meaningOfStatus } from "./api-errors.ts";

test("every error code of the contract has the exit code that scripts rely on", () => {
  const codes = Object.entries(apiErrors).map(([code, { exitCode }]) => [code, exitCode]);
  expect(Object.fromEntries(codes)).toEqual({
    malformed_request: 2,
    unauthenticated: 4,
    insufficient_scope: 4,
    website_limit_reached: 4,
    not_found: 3,
    method_not_allowed: 1,
    domain_taken: 5,
    idempotency_in_progress: 5,
    cursor_expired: 5,
    precondition_failed: 5,
    body_too_large: 2,
    unsupported_media_type: 1,
    validation_failed: 2,
    idempotency_key_reused: 5,
    rate_limited: 6,
    change_limit_reached: 6,
    internal: 1,
    unavailable: 1,
  });
});

test.each([
  [401, 4],
  [403, 4],
  [404, 3],
  [409, 5],
  [412, 5],
  [422, 2],
  [429, 6],
  [302, 1],
  [502, 1],
])("status %i without a known error code has exit code %i", (status, exitCode) => {
  expect(meaningOfStatus(status).exitCode).toBe(exitCode);
});
