import { expect, test } from "vitest";
import { decideRestartDelay } from "./restart-delay.ts";

test("a worker that ends is replaced at once", () => {
  expect(decideRestartDelay(0, 0)).toEqual({ youngEnds: 1, delayMs: 0 });
  expect(decideRestartDelay(0, 60_000)).toEqual({ youngEnds: 0, delayMs: 0 });
});

test("workers that end young one after the other are waited for twice as long each time, up to half a minute", () => {
  const delaysMs: number[] = [];
  let youngEnds = 0;
  for (let end = 0; end < 2000; end += 1) {
    const decided = decideRestartDelay(youngEnds, 500);
    youngEnds = decided.youngEnds;
    delaysMs.push(decided.delayMs);
  }
  expect(delaysMs.slice(0, 12)).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  expect(delaysMs.at(-1)).toBe(30_000);
});

test("one that lived for ten seconds ends the waiting", () => {
  expect(decideRestartDelay(9, 10_000)).toEqual({ youngEnds: 0, delayMs: 0 });
  expect(decideRestartDelay(9, 9999)).toEqual({ youngEnds: 10, delayMs: 25_600 });
});
