import { SitewardError } from "../errors/siteward-error.ts";
import { type AttemptHistory, chooseError, decideRetryDelayMs, mayHaveActed } from "./retry-rule.ts";
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
  let uncertain: SitewardError | undefined;
  for (let retryCount = 0; ; retryCount += 1) {
    try {
      return await attempt({ retryCount, mayHaveActed: uncertain !== undefined });
    } catch (error) {
      if (!(error instanceof SitewardError)) throw error;
      const delayMs = decideRetryDelayMs(error, { retryCount, maxRetries }, timing.random);
      if (delayMs === undefined) throw chooseError(error, uncertain);
      if (mayHaveActed(method, error)) uncertain = error;
      await timing.wait(delayMs, signal);
    }
  }
}
