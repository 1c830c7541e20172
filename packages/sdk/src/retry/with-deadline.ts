import { AbortError } from "../errors/siteward-error.ts";

/** What ends a task early. */
interface Deadline {
  readonly delayMs: number;
  readonly signal: AbortSignal | undefined;
  /**
   * Returns the error with which the promise rejects when the time is up. Without an error, it resolves to undefined.
   */
  readonly onTime?: () => Error;
}

/**
 * Runs a task that ends when the time is up or the signal aborts, even if the task ignores the signal that it receives,
 * as some replacements of `fetch` do. Without a task, only waits.
 *
 * @throws AbortError, or what `onTime` returns or the task throws
 */
export function withDeadline<Result>(
  { delayMs, signal, onTime }: Deadline,
  task?: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    // Settles before it aborts the task: the promise keeps the first reason, and the task's own would be vague.
    const stop = (error?: Error): void => {
      release();
      // Only a wait has no error, and its result is undefined.
      if (error === undefined) resolve(undefined as Result);
      else reject(error);
      controller.abort(error);
    };
    const onAbort = (): void => stop(new AbortError(signal?.reason));
    const timer = setTimeout(() => stop(onTime?.()), delayMs);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const thenSettle =
      <Value>(settle: (value: Value) => void) =>
      (value: Value): void => {
        release();
        settle(value);
      };
    // Not by finally(), which creates three more promises.
    task?.(controller.signal).then(thenSettle(resolve), thenSettle(reject));
  });
}
