import { isApiError } from "../errors/api-error.ts";
import { AbortError } from "../errors/siteward-error.ts";
import { maxTimeoutMs } from "../options/check-options.ts";

const firstBackoffMs = 1_000;
const maxBackoffMs = 300_000;
/** The longest `Retry-After` that is obeyed. A proxy that says a year must not end the mirror. */
const maxRetryAfterMs = 3_600_000;

/** What a schedule needs. */
export interface ScheduleOptions {
  readonly intervalMs: number;
  /** Ends the schedule. */
  readonly signal: AbortSignal;
  /** Whether the program waits for a sync to succeed. Then timers keep it running. */
  readonly isAwaited: () => boolean;
  readonly sync: () => Promise<void>;
  /** Called after each failure, in addition to those who wait. */
  readonly onFailure: (error: unknown) => void;
}

/** Syncs again and again: after the interval, after a failure later and later, and at once if asked to. */
export class Schedule {
  readonly #options: ScheduleOptions;
  /** Those who wait for the next sync share one. */
  #waiting: PromiseWithResolvers<void> | undefined;
  #failures = 0;
  #wake = (): void => {};

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    signal.addEventListener("abort", () => this.#wake());
    while (!signal.aborted) {
      const delayMs = await this.#attempt();
      if (this.#waiting === undefined && !signal.aborted) await this.#wait(delayMs);
    }
    this.#waiting?.reject(new AbortError(signal.reason));
  }

  /**
   * Syncs now, in addition to the schedule. Calls at the same time share one sync, which begins after them.
   *
   * @throws AbortError if the schedule has ended; otherwise the error of the sync
   */
  syncNow(): Promise<void> {
    const { signal } = this.#options;
    if (signal.aborted) return Promise.reject(new AbortError(signal.reason));
    this.#waiting ??= Promise.withResolvers();
    // Perhaps nobody waits for it. `onFailure` is called too.
    this.#waiting.promise.catch(() => {});
    this.#wake();
    return this.#waiting.promise;
  }

  /** @returns how long to wait, in milliseconds */
  async #attempt(): Promise<number> {
    const { sync, onFailure, intervalMs, signal } = this.#options;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    let retryAfterMs = 0;
    try {
      await sync();
      this.#failures = 0;
      waiting?.resolve();
    } catch (error) {
      waiting?.reject(signal.aborted ? new AbortError(signal.reason) : error);
      if (signal.aborted) return 0;
      this.#failures += 1;
      onFailure(error);
      if (isApiError(error)) ({ retryAfterMs = 0 } = error);
    }
    return decideWaitMs({ intervalMs, failures: this.#failures, retryAfterMs }, Math.random());
  }

  /** Waits, until somebody asks for a sync or the signal aborts. */
  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      // In browsers, it is a number, and keeps nothing running.
      if (!this.#options.isAwaited()) timer.unref?.();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/**
 * Returns how long to wait. After a success, it is the interval, up to 20 % shorter or longer, so that programs do not
 * ask together. After a failure, it is up to 1 s, 2 s, 4 s … 5 minutes, at least half of it, and in addition what
 * `Retry-After` says, which is the same for all.
 *
 * @param failures how many requests in a row have failed
 * @param random from 0 up to, but not including, 1
 */
export function decideWaitMs(
  { intervalMs, failures, retryAfterMs = 0 }: { intervalMs: number; failures: number; retryAfterMs?: number },
  random: number,
): number {
  // A longer timer would end at once.
  if (failures === 0) return Math.min(maxTimeoutMs, Math.round(intervalMs * (0.8 + 0.4 * random)));
  const firstMs = Math.min(firstBackoffMs, intervalMs);
  // Past 2 ** 30, it is longer than any bound, and much later no number any more.
  const backoffMs = Math.min(maxBackoffMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(Math.min(retryAfterMs, maxRetryAfterMs) + backoffMs * (0.5 + 0.5 * random));
}
