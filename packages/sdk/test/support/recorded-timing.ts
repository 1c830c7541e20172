import type { Timing } from "../../src/retry/timing.ts";

/** A timing that does not wait but keeps what it was asked to wait, with a chosen clock and randomness. */
export interface RecordedTiming extends Timing {
  readonly waitsMs: readonly number[];
}

/** Makes a timing for one test: the clock stands still and the randomness is always the same. */
export function recordTiming(still: { random?: number; nowMs?: number } = {}): RecordedTiming {
  const { random = 0.5, nowMs = 0 } = still;
  const waitsMs: number[] = [];
  return {
    waitsMs,
    nowMs: () => nowMs,
    random: () => random,
    wait: async (delayMs) => {
      waitsMs.push(delayMs);
    },
  };
}
