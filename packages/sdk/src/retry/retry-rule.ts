import { ApiError } from "../errors/api-error.ts";
import { ConnectionError } from "../errors/connection-error.ts";
import type { SitewardError } from "../errors/siteward-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";

const transientStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];
const maxRetryAfterMs = 60_000;
const firstBackoffMs = 500;
const maxBackoffMs = 8_000;

/** Where a call stands when an attempt has failed. */
export interface Attempt {
  readonly method: string;
  /** How often the request was repeated so far. */
  readonly retryCount: number;
  readonly maxRetries: number;
}

/** What an attempt knows of those before it. */
export interface AttemptHistory {
  /** How many there were. */
  readonly retryCount: number;
  /** Whether the service may have acted on one of them. */
  readonly mayHaveActed: boolean;
}

/**
 * Decides whether a failed request is repeated, and after how long.
 *
 * The wait is exponential with full jitter (up to 0.5 s, 1 s, 2 s … 8 s), and never shorter than the service asks for in
 * `Retry-After`. Where it asks for more than 60 s, the error is the caller's at once, with `retryAfterMs`: a program that
 * hangs for minutes is worse than one that knows.
 *
 * A POST is repeated only where the service certainly did nothing, since the SDK sends no `Idempotency-Key` by which the
 * service could tell a repetition from a second request.
 *
 * @param random gives a number from 0 up to, not including, 1
 * @returns the wait in milliseconds, or undefined where the request is not repeated
 */
export function decideRetryDelayMs(error: SitewardError, attempt: Attempt, random: () => number): number | undefined {
  if (attempt.retryCount >= attempt.maxRetries || !isTransient(error)) return undefined;
  if (attempt.method === "POST" && !didNothing(error)) return undefined;
  const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  if (retryAfterMs > maxRetryAfterMs) return undefined;
  const backoffMs = random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** attempt.retryCount);
  return Math.max(retryAfterMs, Math.round(backoffMs));
}

/**
 * Tells whether the service certainly did nothing of a failed request: no connection was made, or it refused before
 * acting. A 503 says so only with the service's own code, since a proxy's may come after the service has acted, and only
 * where the service itself knows the outcome.
 */
export function didNothing(error: SitewardError): boolean {
  if (error instanceof ConnectionError) return !error.requestSent;
  if (!(error instanceof ApiError)) return false;
  return error.status === 429 || (error.code === "unavailable" && error.problem?.outcome === undefined);
}

/**
 * Tells whether a DELETE that found nothing was carried out by an earlier attempt of the same call. Only an attempt on
 * which the service may have acted counts: else a wrong id would pass for a deleted one. The service must say so itself; a
 * proxy's 404 proves nothing.
 */
export function isAlreadyDeleted(method: string, error: ApiError, { mayHaveActed }: AttemptHistory): boolean {
  return mayHaveActed && method === "DELETE" && error.code === "not_found";
}

function isTransient(error: SitewardError): boolean {
  if (error instanceof ApiError) return transientStatuses.includes(error.status);
  return error instanceof ConnectionError || error instanceof TimeoutError;
}
