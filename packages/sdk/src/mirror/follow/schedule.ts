import { maxTimeoutMs } from "../../options/common-rules.ts";

const firstBackoffMs = 1_000;
const maxBackoffMs = 300_000;
/** The longest `Retry-After` that is obeyed. A proxy that says a year must not end the mirror. */
const maxRetryAfterMs = 3_600_000;

/**
 * Returns the wait after a request that succeeded: the interval, up to 20 % shorter or longer, so that programs that were started
 * together do not ask together.
 *
 * @param random from 0 up to, but not including, 1
 */
export function decideIntervalMs(intervalMs: number, random: number): number {
  // A longer timer would end at once.
  return Math.min(maxTimeoutMs, Math.round(intervalMs * (0.8 + 0.4 * random)));
}

/** The state of a mirror after a request that failed. */
interface Failed {
  readonly intervalMs: number;
  /** How many requests in a row have failed, at least 1. */
  readonly failures: number;
  /** What the service asks for. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Returns the wait after a request that failed: up to 1 s, 2 s, 4 s … 5 minutes, at least half of it, and what `Retry-After` says in
 * addition. Programs that were refused together are told the same time, so it is added, as the SDK does for each call.
 *
 * @param random from 0 up to, but not including, 1
 */
export function decideBackoffMs({ intervalMs, failures, retryAfterMs = 0 }: Failed, random: number): number {
  const firstMs = Math.min(firstBackoffMs, intervalMs);
  // Past 2 ** 30, it is longer than any bound, and much later no number any more.
  const backoffMs = Math.min(maxBackoffMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(Math.min(retryAfterMs, maxRetryAfterMs) + backoffMs * (0.5 + 0.5 * random));
}
