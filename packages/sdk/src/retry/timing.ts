import { createUuid } from "./create-uuid.ts";
import { withDeadline } from "./with-deadline.ts";

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
  /** Calls `run` after `delayMs` milliseconds. Returns a function that stops the timer. */
  startTimer(delayMs: number, run: () => void): () => void;
}

/** The clock, randomness and timers of the machine. */
export const systemTiming: Timing = {
  // Looked up for each use, so that the fake timers of a test replace it, whenever they start.
  nowMs: () => Date.now(),
  random: Math.random,
  uuid: () => createUuid(globalThis.crypto, Math.random),
  wait: (delayMs, signal) => withDeadline<void>({ delayMs, signal }),
  startTimer(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
