import { AbortError } from "../errors/abort-error.ts";

/** The clock, the randomness and the waiting of a client, given to it so that a test can choose them. */
export interface Timing {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** A number from 0 up to, not including, 1. */
  random(): number;
  /** Resolves after `delayMs` milliseconds, and rejects with an `AbortError` as soon as the signal fires. */
  wait(delayMs: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The machine's own clock, randomness and timers. */
export const systemTiming: Timing = {
  nowMs: Date.now,
  random: Math.random,
  wait(delayMs, signal) {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(new AbortError(signal?.reason));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, delayMs);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener("abort", onAbort, { once: true });
    });
  },
};
