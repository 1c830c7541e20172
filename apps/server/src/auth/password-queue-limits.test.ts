import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decidePasswordQueueLimits } from "./password-queue-limits.ts";

describe("the limits of password hashing", () => {
  test.for([
    // threads, cores, workers, hashes at the same time
    [4, 1, 1, 1],
    [4, 2, 1, 1],
    [4, 3, 1, 2],
    [4, 64, 1, 2],
    [1, 64, 1, 1],
    [16, 64, 1, 8],
    [16, 8, 1, 7],
    [4, 8, 8, 1],
    [4, 8, 3, 2],
    [1024, 8, 2, 3],
  ] as const)(
    "with %i threads, %i cores and %i workers a process runs %i at once",
    ([threads, cores, workers, running]) => {
      expect(decidePasswordQueueLimits({ threads, cores, workers, maxRequests: 1000 }).maxRunning).toBe(running);
    },
  );

  test("one key can fill half of the queue", () => {
    const { maxRunning, maxWaiting, maxWaitingPerKey } = decidePasswordQueueLimits({
      threads: 4,
      cores: 4,
      workers: 1,
      maxRequests: 1000,
    });
    expect([maxRunning, maxWaiting, maxWaitingPerKey]).toEqual([2, 48, 24]);
  });

  test("in every configuration, hashing takes at most half of the requests in progress, and each key can hash and wait", () => {
    const configurations = fc.record({
      threads: fc.integer({ min: 1, max: 1_024 }),
      cores: fc.integer({ min: 1, max: 512 }),
      workers: fc.integer({ min: 1, max: 512 }),
      maxRequests: fc.integer({ min: 10, max: 100_000 }),
    });
    fc.assert(
      fc.property(configurations, (configuration) => {
        const { maxRunning, maxWaiting, maxWaitingPerKey } = decidePasswordQueueLimits(configuration);
        expect(maxRunning + maxWaiting).toBeLessThanOrEqual(configuration.maxRequests / 2);
        expect(Math.min(maxRunning, maxWaiting, maxWaitingPerKey)).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
