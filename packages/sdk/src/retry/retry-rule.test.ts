import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../errors/api-error.ts";
import { ConnectionError } from "../errors/connection-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { decideRetryDelayMs, isRefusal } from "./retry-rule.ts";

describe("decideRetryDelayMs", () => {
  test.each([
    [0, 0, 500],
    [1, 0, 1_000],
    [2, 0, 2_000],
    [10, 0, 8_000],
    [2_000, 0, 8_000],
  ])("after %d retries, spreads the wait over the entire range from %d to %d ms", (retryCount, leastMs, mostMs) => {
    const error = new ConnectionError("cut", true);
    const attempt = { retryCount, refusalCount: 0, maxRetries: 10_000 };
    expect(decideRetryDelayMs(error, attempt, () => 0)).toBe(leastMs);
    expect(decideRetryDelayMs(error, attempt, () => 0.999_999)).toBe(mostMs);
  });

  test("spreads the waits of callers that were all refused with the same Retry-After", () => {
    const error = new ApiError({ ...refused, retryAfterMs: 1_000 });
    const delays = [0, 0.25, 0.5, 0.999_999].map((random) =>
      decideRetryDelayMs(error, { retryCount: 0, refusalCount: 1, maxRetries: 2 }, () => random),
    );
    expect(delays).toEqual([1_000, 1_250, 1_500, 2_000]);
  });
});

describe("a refusal by the limit of the API key", () => {
  const decide = (attempt: Parameters<typeof decideRetryDelayMs>[1], fields: Partial<typeof refused> = {}) =>
    decideRetryDelayMs(new ApiError({ ...refused, ...announced, ...fields }), attempt, () => 0);

  test("does not use up maxRetries, and is waited for up to 100 times", () => {
    expect(decide({ retryCount: 2, refusalCount: 99, maxRetries: 2 })).toBe(1_000);
    expect(decide({ retryCount: 0, refusalCount: 100, maxRetries: 2 })).toBeUndefined();
  });

  test("uses up maxRetries like any other failure if it does not say when to come back", () => {
    for (const retryAfterMs of [0, undefined]) {
      expect(decide({ retryCount: 1, refusalCount: 0, maxRetries: 2 }, { retryAfterMs })).toBe(0);
      expect(decide({ retryCount: 2, refusalCount: 0, maxRetries: 2 }, { retryAfterMs })).toBeUndefined();
    }
  });

  test("is none without the fields of that limit, as of a proxy or after too many invalid keys of a network", () => {
    const headers = new Headers();
    expect(decide({ retryCount: 1, refusalCount: 0, maxRetries: 2 }, { headers })).toBe(1_000);
    expect(decide({ retryCount: 2, refusalCount: 0, maxRetries: 2 }, { headers })).toBeUndefined();
  });

  test("is an error at once if maxRetries is 0", () => {
    expect(decide({ retryCount: 0, refusalCount: 0, maxRetries: 0 })).toBeUndefined();
  });
});

const announced = { retryAfterMs: 1_000 };
const limits = { "ratelimit-policy": '"default";q=600;w=60', ratelimit: '"default";r=0;t=1' };
const refused: ConstructorParameters<typeof ApiError>[0] = {
  code: "rate_limited",
  status: 429,
  title: "",
  detail: "",
  headers: new Headers(limits),
};
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

  test("whether it is retried does not depend on randomness", () => {
    const property = fc.property(anyError, anyAttempt, anyRandom, (error, attempt, random) => {
      const isRetried = decideRetryDelayMs(error, attempt, () => random) !== undefined;
      expect(decideRetryDelayMs(error, attempt, () => 0) !== undefined).toBe(isRetried);
    });
    fc.assert(property);
  });
});
