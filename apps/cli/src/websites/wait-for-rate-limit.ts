import { setTimeout as wait } from "node:timers/promises";
import { isApiError } from "@siteward/sdk";

/**
 * Runs a request of several that run at the same time, and repeats it while the service refuses it by the rate limit.
 *
 * The retries of the SDK are not enough for this: with 8 requests at a time and a limit of one per second, one of the 8 is
 * accepted each second, and the others have used up their retries after about 9 s.
 *
 * @param signal it is not repeated after this is aborted
 * @throws what `run` throws: the rate limit too, after 100 times, or if the service asks for a wait of more than 60 s
 */
export async function waitForRateLimit<Result>(run: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  for (let timesLeft = maxTimes - 1; ; timesLeft -= 1) {
    try {
      return await run();
    } catch (error) {
      const waitMs = isApiError(error, "rate_limited") ? (error.retryAfterMs ?? 1_000) : Number.POSITIVE_INFINITY;
      if (waitMs > maxWaitMs || timesLeft === 0) throw error;
      await wait(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal?.aborted === true) throw error;
    }
  }
}

const maxTimes = 100;
const maxWaitMs = 60_000;
