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
      expect(decidePasswordQueueLimits({ threads, cores, workers }).maxRunning).toBe(running);
    },
  );

  test("one key can fill half of the queue", () => {
    const { maxRunning, maxWaiting, maxWaitingPerKey } = decidePasswordQueueLimits({
      threads: 4,
      cores: 4,
      workers: 1,
    });
    expect([maxRunning, maxWaiting, maxWaitingPerKey]).toEqual([2, 48, 24]);
  });
});
