import { ApiError } from "../errors/api-error.ts";
import { ConnectionError, type SitewardError, TimeoutError } from "../errors/siteward-error.ts";
import type { RateLimit } from "../response-headers.ts";

const transientStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];
const maxRetryAfterMs = 60_000;
/** How many times a call is sent again after a 429. A service that refuses it as often does not keep its word. */
const maxRefusals = 100;
const firstBackoffMs = 500;
const maxBackoffMs = 8_000;

/** The longest wait after a 429, in milliseconds. */
export const maxPauseMs: number = maxRetryAfterMs + maxBackoffMs;

type Refusal = ApiError & { readonly rateLimit: RateLimit };

/** The state of a call when an attempt has failed. */
interface FailedAttempt {
  /** How many times the request was retried so far for any other reason. */
  readonly retryCount: number;
  /** How many times it was retried because of the limit of the API key. */
  readonly refusalCount: number;
  readonly maxRetries: number;
}

/**
 * Decides whether a failed request is retried, and after how long.
 *
 * Connection errors, timeouts, the transient statuses, and `idempotency_in_progress` are retried, up to `maxRetries`
 * times. The wait is that of `Retry-After`, plus an exponential backoff with full jitter (up to 0.5 s, 1 s, 2 s … 8 s).
 * The sum, because callers that were refused together get the same `Retry-After`. If it is more than 60 s, the caller
 * gets the error at once.
 *
 * A 429 by the limit of the API key counts on its own, up to 100 times, because nothing is wrong, unless `maxRetries`
 * is 0.
 *
 * A GET, PUT or DELETE can be repeated, and a POST has an idempotency key, by which the service recognizes the retry.
 * One that does not know these keys answers with `domain_taken`.
 *
 * @param random returns a number from 0 up to, but not including, 1
 * @returns the wait in milliseconds, or undefined if the request is not retried
 */
export function decideRetryDelayMs(
  error: SitewardError,
  attempt: FailedAttempt,
  random: () => number,
): number | undefined {
  const { retryCount, refusalCount, maxRetries } = attempt;
  const [count, most] = isRefusal(error) ? [refusalCount, maxRetries && maxRefusals] : [retryCount, maxRetries];
  if (count >= most || !isTransient(error)) return undefined;
  const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  if (retryAfterMs > maxRetryAfterMs) return undefined;
  const backoffMs = random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** count);
  return retryAfterMs + Math.round(backoffMs);
}

/**
 * Checks whether a request was refused by the limit of the API key: the 429 names the limit in `RateLimit`, and says
 * when to come back, within 60 s. Any other says nothing about the key.
 */
export function isRefusal(error: SitewardError): error is Refusal {
  if (!(error instanceof ApiError) || error.status !== 429 || error.rateLimit === undefined) return false;
  if (error.code === "change_limit_reached") return false;
  const waitMs = error.retryAfterMs ?? 0;
  return waitMs > 0 && waitMs <= maxRetryAfterMs;
}

/**
 * Checks that the service certainly did not act on a failed request. A 503 counts only with the service's own code,
 * because a proxy can send one after the service has acted, and only if the service itself knows the outcome.
 */
export function didNothing(error: SitewardError): boolean {
  if (error instanceof ConnectionError) return !error.requestSent;
  if (!(error instanceof ApiError)) return false;
  return error.status === 429 || (error.code === "unavailable" && error.problem?.outcome === undefined);
}

function isTransient(error: SitewardError): boolean {
  if (error instanceof ApiError) {
    return transientStatuses.includes(error.status) || error.code === "idempotency_in_progress";
  }
  return error instanceof ConnectionError || error instanceof TimeoutError;
}
