import { SitewardError } from "../errors/siteward-error.ts";
import { chooseError, decideRetryDelayMs, mayHaveActed } from "../retry/retry-rule.ts";
import type { Call } from "./call.ts";

/**
 * Waits until the failed attempt of a call can be repeated.
 *
 * @throws the error that the call fails with, if it is not retried; AbortError if the signal aborts during the wait
 */
export async function waitForRetry(call: Call, error: unknown): Promise<void> {
  if (!(error instanceof SitewardError)) throw error;
  const { timing, options } = call;
  const attempt = { retryCount: call.attempts - 1, maxRetries: options.maxRetries };
  const delayMs = decideRetryDelayMs(error, attempt, timing.random);
  if (delayMs === undefined) throw chooseError(error, call.uncertain);
  if (mayHaveActed(call.request.method, error)) call.uncertain = error;
  await timing.wait(delayMs, options.signal);
}
