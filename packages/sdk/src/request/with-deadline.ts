import { AbortError } from "../errors/abort-error.ts";
import type { SitewardError } from "../errors/siteward-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";

/** What ends a task early. */
export interface Deadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a task that ends when the time is up or the signal aborts, even if the task ignores the signal that it receives,
 * as some replacements of `fetch` do.
 *
 * @param endpoint the request that the task sends, for the error message
 * @throws TimeoutError, AbortError, or what the task throws
 */
export function withDeadline<Result>(
  endpoint: string,
  { timeoutMs, signal }: Deadline,
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (signal?.aborted) return Promise.reject(new AbortError(signal.reason));
  const controller = new AbortController();
  return new Promise<Result>((resolve, reject) => {
    // Rejects before it aborts the task: the promise keeps the first reason, and the task's own would be vague.
    const stop = (error: SitewardError): void => {
      release();
      reject(error);
      controller.abort(error);
    };
    const onAbort = (): void => stop(new AbortError(signal?.reason));
    const onTimeout = (): void => stop(new TimeoutError(`${endpoint} took longer than ${timeoutMs} ms.`, timeoutMs));
    const timer = setTimeout(onTimeout, timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    task(controller.signal).then(resolve, reject).finally(release);
  });
}
