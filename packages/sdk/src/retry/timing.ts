import { AbortError } from "../errors/abort-error.ts";
import { createUuid } from "./create-uuid.ts";

/** The clock, randomness and timers of a client, passed in so that a test can replace them. */
export interface Timing {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
  /** A random UUID. */
  uuid(): string;
  /** Resolves after `delayMs` milliseconds, or rejects with an `AbortError` as soon as the signal aborts. */
  wait(delayMs: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The clock, randomness and timers of the machine. */
export const systemTiming: Timing = {
  nowMs: Date.now,
  random: Math.random,
  uuid: () => createUuid(globalThis.crypto, Math.random),
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
