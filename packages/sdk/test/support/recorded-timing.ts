import type { Timing } from "../../src/retry/timing.ts";

/** A timing that does not wait, but records each wait. Its clock and randomness are fixed. */
export interface RecordedTiming extends Timing {
  readonly waitsMs: readonly number[];
}

/** Creates the timing of one test, with one clock time and one random number. */
export function recordTiming(fixed: { random?: number; nowMs?: number } = {}): RecordedTiming {
  const { random = 0.5, nowMs = 0 } = fixed;
  const waitsMs: number[] = [];
  return {
    waitsMs,
    nowMs: () => nowMs,
    random: () => random,
    uuid: () => "generated-key",
    wait: async (delayMs) => {
      waitsMs.push(delayMs);
    },
  };
}
