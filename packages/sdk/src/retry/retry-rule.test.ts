import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../errors/api-error.ts";
import { ConnectionError, TimeoutError } from "../errors/siteward-error.ts";
import { decideRetryDelayMs, isRefusal } from "./retry-rule.ts";

const limits = { "ratelimit-policy": '"default";q=600;w=60', ratelimit: '"default";r=0;t=1' };
const anyError = fc.oneof(
  fc.boolean().map((requestSent) => new ConnectionError("cut", requestSent)),
  fc.constant(new TimeoutError("late", 1)),
  fc
    .record({
      status: fc.integer({ min: 300, max: 599 }),
      code: fc.constantFrom(
        "unavailable",
        "rate_limited",
        "change_limit_reached",
        "idempotency_in_progress",
        "domain_taken",
        "unexpected_response",
      ),
      retryAfterMs: fc.option(fc.nat({ max: 100_000 }), { nil: undefined }),
      headers: fc.constantFrom(limits, {}).map((fields) => new Headers(fields)),
    })
    .map((fields) => new ApiError({ title: "", detail: "", ...fields })),
);
const anyAttempt = fc.record({
  retryCount: fc.nat({ max: 20 }),
  refusalCount: fc.nat({ max: 120 }),
  maxRetries: fc.nat({ max: 20 }),
});
const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("for any failed attempt", () => {
  test("the wait is at least what the service asks for, and at most 8 s more", () => {
    const property = fc.property(anyError, anyAttempt, anyRandom, (error, attempt, random) => {
      const delayMs = decideRetryDelayMs(error, attempt, () => random);
      if (delayMs === undefined) return;
      const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
      expect(attempt.maxRetries).toBeGreaterThan(0);
      if (isRefusal(error)) expect(attempt.refusalCount).toBeLessThan(100);
      else expect(attempt.retryCount).toBeLessThan(attempt.maxRetries);
      expect(delayMs).toBeGreaterThanOrEqual(retryAfterMs);
      expect(retryAfterMs).toBeLessThanOrEqual(60_000);
      expect(delayMs).toBeLessThanOrEqual(retryAfterMs + 8_000);
    });
    fc.assert(property);
  });
});
