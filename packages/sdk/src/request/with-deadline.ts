import { AbortError } from "../errors/abort-error.ts";
import type { SitewardError } from "../errors/siteward-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";

/** What ends a piece of work early. */
export interface Deadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs work that must end within a time and as soon as a signal fires. It ends even where the work ignores the signal it
 * is given, as some replacements of `fetch` do.
 *
 * @param endpoint the request that the work sends, for the message
 * @throws TimeoutError, AbortError, or what the work throws
 */
export function withDeadline<Result>(
  endpoint: string,
  { timeoutMs, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (signal?.aborted) return Promise.reject(new AbortError(signal.reason));
  const controller = new AbortController();
  return new Promise<Result>((resolve, reject) => {
    // Rejected before the work hears of it: the promise keeps the first reason, and the work's own would be a vague one.
    const stop = (error: SitewardError): void => {
      release();
      reject(error);
      controller.abort(error);
    };
    const onAbort = (): void => stop(new AbortError(signal?.reason));
    const onTimeout = (): void => stop(new TimeoutError(`${endpoint} took longer than ${timeoutMs} ms`, timeoutMs));
    const timer = setTimeout(onTimeout, timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    work(controller.signal).then(resolve, reject).finally(release);
  });
}
