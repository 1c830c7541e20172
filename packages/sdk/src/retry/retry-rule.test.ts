import { describe, expect, test } from "vitest";
import { ConnectionError } from "../errors/connection-error.ts";
import { decideRetryDelayMs } from "./retry-rule.ts";

describe("decideRetryDelayMs", () => {
  test.each([
    [0, 0, 500],
    [1, 0, 1_000],
    [2, 0, 2_000],
    [10, 0, 8_000],
    [2_000, 0, 8_000],
  ])("after %d retries, spreads the wait over the entire range from %d to %d ms", (retryCount, leastMs, mostMs) => {
    const error = new ConnectionError("cut", true);
    const attempt = { method: "GET", retryCount, maxRetries: 10_000 };
    expect(decideRetryDelayMs(error, attempt, () => 0)).toBe(leastMs);
    expect(decideRetryDelayMs(error, attempt, () => 0.999_999)).toBe(mostMs);
  });
});
