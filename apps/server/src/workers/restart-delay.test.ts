import { expect, test } from "vitest";
import { decideRestartDelay, type EndedWorker, endBackOff, startPace } from "./restart-delay.ts";

const size = 4;
const failedStart: EndedWorker = { hasListened: false, code: 1, signal: null };
const killed: EndedWorker = { hasListened: true, code: null, signal: "SIGKILL" };

test("an entire pool that is killed is replaced at once", () => {
  expect(endEach([killed, killed, killed, killed])).toEqual([0, 0, 0, 0]);
});

test("a worker that is killed before it listens does not count as a failed start", () => {
  expect(endEach([{ ...killed, hasListened: false }])).toEqual([0]);
  expect(endEach([{ hasListened: false, code: null, signal: "SIGTERM" }])).toEqual([0]);
  expect(endEach([{ hasListened: false, code: 0, signal: null }])).toEqual([0]);
});

test("workers that are killed again and again cost one start per place and second, and none waits longer than a second", () => {
  let pace = startPace({ size, nowMs: 0 });
  const places = Array.from({ length: size }, () => 0);
  let starts = 0;
  for (let nowMs = 0; nowMs < 60_000; nowMs += 10) {
    for (const [place, freeMs] of places.entries()) {
      if (freeMs > nowMs) continue;
      const decision = decideRestartDelay(pace, killed, { size, nowMs });
      expect(decision.delayMs).toBeLessThanOrEqual(1000);
      pace = decision.pace;
      places[place] = nowMs + decision.delayMs;
      starts += 1;
    }
  }
  expect(starts).toBeGreaterThan(60 * size - size);
  expect(starts).toBeLessThanOrEqual(60 * size + 2 * size);
});

test("the wait doubles each time a worker fails to start, up to 5 seconds", () => {
  const delaysMs = endEach(Array.from({ length: 2000 }, () => failedStart));
  expect(delaysMs.slice(0, 8)).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  expect(delaysMs.at(-1)).toBe(5000);
  expect(endEach([{ hasListened: false, code: null, signal: "SIGSEGV" }])).toEqual([100]);
  expect(endEach([{ hasListened: false, code: null, signal: null, error: new Error("EAGAIN") }])).toEqual([100]);
});

test("a worker that starts ends the back-off, and a worker that is killed meanwhile does not wait for it", () => {
  let pace = startPace({ size, nowMs: 0 });
  for (let nowMs = 0; nowMs < 50_000; nowMs += 5000) pace = decideRestartDelay(pace, failedStart, { size, nowMs }).pace;
  const moment = { size, nowMs: 60_000 };
  expect(decideRestartDelay(pace, killed, moment).delayMs).toBe(0);
  expect(decideRestartDelay(pace, failedStart, moment).delayMs).toBe(5000);
  expect(decideRestartDelay(endBackOff(pace), failedStart, moment).delayMs).toBe(100);
});

/** Ends one worker every 10 seconds, or all at once, and returns how long each place stays empty. */
function endEach(ends: readonly EndedWorker[]): number[] {
  let pace = startPace({ size, nowMs: 0 });
  return ends.map((ended, index) => {
    const decision = decideRestartDelay(pace, ended, { size, nowMs: ended === killed ? 0 : index * 10_000 });
    pace = decision.pace;
    return decision.delayMs;
  });
}
