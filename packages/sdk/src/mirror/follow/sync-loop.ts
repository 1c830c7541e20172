import { AbortError } from "../../errors/abort-error.ts";
import { isApiError } from "../../errors/is-api-error.ts";
import { decideBackoffMs, decideIntervalMs } from "./schedule.ts";

/** What the loop needs. */
export interface SyncLoopOptions {
  /** Brings the state up to date. */
  readonly sync: () => Promise<void>;
  /** Called after each failure. */
  readonly onFailure: (error: unknown) => void;
  readonly intervalMs: number;
  /** Ends the loop. */
  readonly signal: AbortSignal;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Whether the program waits for the next sync. Then the timer keeps it running. */
  readonly isAwaited: () => boolean;
}

/** Somebody who waits for a sync. */
interface Waiting {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Syncs again and again: each time after the interval, after a failure later and later, and at once if it is asked to. */
export class SyncLoop {
  readonly #options: SyncLoopOptions;
  /** Those who wait for the next sync. They share one. */
  #waiting: Waiting | undefined;
  #failures = 0;
  #wake = (): void => {};

  constructor(options: SyncLoopOptions) {
    this.#options = options;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const delayMs = await this.#attempt();
      if (this.#waiting === undefined && !signal.aborted) await this.#wait(delayMs);
    }
    this.#waiting?.reject(new AbortError(signal.reason));
  }

  /**
   * Syncs now, in addition to the schedule. Calls at the same time share one sync, which begins after them.
   *
   * @throws AbortError if the loop has ended; otherwise the error of the sync
   */
  syncNow(): Promise<void> {
    const { signal } = this.#options;
    if (signal.aborted) return Promise.reject(new AbortError(signal.reason));
    this.#waiting ??= createWaiting();
    this.#wake();
    return this.#waiting.promise;
  }

  /** @returns how long to wait, in milliseconds */
  async #attempt(): Promise<number> {
    const { sync, onFailure, intervalMs, signal, random } = this.#options;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    try {
      await sync();
      this.#failures = 0;
      waiting?.resolve();
      return decideIntervalMs(intervalMs, random());
    } catch (error) {
      waiting?.reject(signal.aborted ? new AbortError(signal.reason) : error);
      if (signal.aborted) return 0;
      this.#failures += 1;
      onFailure(error);
      const retryAfterMs = isApiError(error) ? error.retryAfterMs : undefined;
      return decideBackoffMs({ intervalMs, failures: this.#failures, retryAfterMs }, random());
    }
  }

  /** Waits, until somebody asks for a sync or the signal aborts. */
  #wait(delayMs: number): Promise<void> {
    const { signal, isAwaited } = this.#options;
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        this.#wake = () => {};
        resolve();
      };
      const timer = setTimeout(wake, delayMs);
      if (!isAwaited()) allowExit(timer);
      signal.addEventListener("abort", wake);
      this.#wake = wake;
    });
  }
}

/** In browsers, and in earlier versions of Deno, a timer is a number, and has no such method. */
function allowExit(timer: unknown): void {
  const { unref }: { unref?: unknown } = Object(timer);
  if (typeof unref === "function") unref.call(timer);
}

function createWaiting(): Waiting {
  let [resolve, reject]: [Waiting["resolve"], Waiting["reject"]] = [() => {}, () => {}];
  const promise = new Promise<void>((onDone, onFailure) => {
    [resolve, reject] = [onDone, onFailure];
  });
  return { promise, resolve, reject };
}
