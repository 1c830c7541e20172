import { SitewardError } from "../errors/siteward-error.ts";
import { type AttemptHistory, decideRetryDelayMs, didNothing } from "./retry-rule.ts";
import type { Timing } from "./timing.ts";

/** The limits of one call. */
export interface RetryLimits {
  readonly method: string;
  readonly maxRetries: number;
  readonly signal: AbortSignal | undefined;
}

/** Runs attempts until one succeeds, or until the retry rule says to stop. */
export async function withRetries<Result>(
  attempt: (history: AttemptHistory) => Promise<Result>,
  { method, maxRetries, signal }: RetryLimits,
  timing: Timing,
): Promise<Result> {
  let mayHaveActed = false;
  for (let retryCount = 0; ; retryCount += 1) {
    try {
      return await attempt({ retryCount, mayHaveActed });
    } catch (error) {
      if (!(error instanceof SitewardError)) throw error;
      const delayMs = decideRetryDelayMs(error, { method, retryCount, maxRetries }, timing.random);
      if (delayMs === undefined) throw error;
      mayHaveActed ||= !didNothing(error);
      await timing.wait(delayMs, signal);
    }
  }
}
