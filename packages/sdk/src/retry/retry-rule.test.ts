import { describe, expect, test } from "vitest";
import { ConnectionError } from "../errors/siteward-error.ts";
import { decideRetryDelayMs, readRetryAfterMs } from "./retry-rule.ts";

describe("decideRetryDelayMs", () => {
  test.each([
    [0, 0, 500],
    [1, 0, 1_000],
    [2, 0, 2_000],
    [10, 0, 8_000],
    [2_000, 0, 8_000],
  ])("spreads the wait before repetition %d over the whole of %d to %d ms", (retryCount, leastMs, mostMs) => {
    const error = new ConnectionError("cut", true);
    const attempt = { method: "GET", retryCount, maxRetries: 10_000 };
    expect(decideRetryDelayMs(error, attempt, () => 0)).toBe(leastMs);
    expect(decideRetryDelayMs(error, attempt, () => 0.999_999)).toBe(mostMs);
  });
});

describe("readRetryAfterMs", () => {
  const nowMs = Date.UTC(1994, 10, 6, 8, 49, 0);

  test.each([
    ["0", 0],
    ["120", 120_000],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 37_000],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 37_000],
    ["Sun, 06 Nov 1994 08:48:00 GMT", 0],
  ])("reads %j", (header, ms) => {
    expect(readRetryAfterMs(header, nowMs)).toBe(ms);
  });

  test.each([null, "", "-1", "1.5", "1e3", "1994-11-06", "soon", "Sun, 99 Nov 1994 08:49:37 GMT"])(
    "ignores %j",
    (header) => {
      expect(readRetryAfterMs(header, nowMs)).toBeUndefined();
    },
  );
});
