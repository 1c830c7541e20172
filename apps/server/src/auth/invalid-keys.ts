import { AppError, RateLimiter, toSeconds } from "@siteward/service";
import { type AddressedRequest, clientNetworkOf } from "./client-network.ts";

export type LimitInvalidKeys = ReturnType<typeof limitInvalidKeys>;

/**
 * Limits how many invalid API keys the clients of one network can send. Its memory has a bound, however many networks
 * there are (see `RateLimiter`). A look-up counts as a failure before it starts, so that many at the same time cannot
 * pass the limit, and no longer if it finds a valid key or fails itself. Past the limit, none starts: the error is
 * `rate_limited`.
 *
 * @param limit how many invalid API keys a network may send in a minute
 * @param now a clock in milliseconds, which may jump
 */
export function limitInvalidKeys(limit: number, now: () => number) {
  const failures = new RateLimiter<string>(now);
  return async <Found>(request: AddressedRequest, lookUp: () => Promise<Found | undefined>) => {
    const network = clientNetworkOf(request);
    const grant = failures.take(network, limit);
    if (grant.granted === 0) {
      const retryAfterS = toSeconds(grant);
      const detail =
        `Your network has sent too many invalid API keys: at most ${limit} per minute are allowed. ` +
        `Check your API key, and retry after ${retryAfterS} s.`;
      throw new AppError("rate_limited", detail, { facts: { retryAfterS }, reason: "invalid_keys_of_network" });
    }
    let isInvalid = false;
    try {
      const found = await lookUp();
      isInvalid = found === undefined;
      return found;
    } finally {
      if (!isInvalid) failures.giveBack(network, 1);
    }
  };
}
