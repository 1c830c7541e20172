import type { Timing } from "../../src/retry/timing.ts";

/** A timing that does not wait, but records each wait. Its randomness is fixed, and its clock moves by timers alone. */
export interface RecordedTiming extends Timing {
  readonly waitsMs: readonly number[];
}

/** Creates the timing of one test, with one random number and the time at which its clock begins. */
export function recordTiming(fixed: { random?: number; nowMs?: number } = {}): RecordedTiming {
  const { random = 0.5 } = fixed;
  let { nowMs = 0 } = fixed;
  const waitsMs: number[] = [];
  return {
    waitsMs,
    nowMs: () => nowMs,
    random: () => random,
    uuid: () => "generated-key",
    wait: async (delayMs) => {
      waitsMs.push(delayMs);
    },
    startTimer(delayMs, run) {
      let isStopped = false;
      queueMicrotask(() => {
        if (isStopped) return;
        waitsMs.push(delayMs);
        nowMs += delayMs;
        run();
      });
      return () => {
        isStopped = true;
      };
    },
  };
}
