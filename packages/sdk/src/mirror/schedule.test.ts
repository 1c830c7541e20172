import fc from "fast-check";
import { expect, test } from "vitest";
import { maxTimeoutMs } from "../options/check-options.ts";
import { decideWaitMs } from "./schedule.ts";

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("after a success, the wait is the interval, up to 20 % shorter or longer, and at most what a timer accepts", () => {
  const wait = (intervalMs: number, value: number) => decideWaitMs({ intervalMs, failures: 0 }, value);
  expect([0, 0.5, 0.999].map((value) => wait(15_000, value))).toEqual([12_000, 15_000, 17_994]);
  expect(wait(maxTimeoutMs, 0.999)).toBe(maxTimeoutMs);
});

test("after failures, the wait doubles up to 5 minutes, and after the first it is no longer than the interval", () => {
  const wait = (intervalMs: number, failures: number) => decideWaitMs({ intervalMs, failures }, 0.999_999);
  const waits = [1, 2, 3, 9, 10, 1e9].map((failures) => wait(15_000, failures));
  expect(waits).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  expect(wait(100, 1)).toBe(100);
});

test("Retry-After is obeyed, up to an hour, and programs that were told the same time do not come back together", () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.integer({ min: 1, max: 100 }), random, (retryAfterMs, failures, value) => {
      const waitMs = decideWaitMs({ intervalMs: 15_000, failures, retryAfterMs }, value);
      expect(waitMs).toBeGreaterThan(Math.min(retryAfterMs, 3_600_000));
      expect(waitMs).toBeLessThanOrEqual(3_600_000 + 300_000);
    }),
  );
  const waits = [0, 0.5].map((value) => decideWaitMs({ intervalMs: 15_000, failures: 3, retryAfterMs: 60_000 }, value));
  expect(waits).toEqual([62_000, 63_000]);
});
