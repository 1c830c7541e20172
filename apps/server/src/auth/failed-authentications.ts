import { AppError, RateLimiter } from "@siteward/service";
import { type AddressedRequest, clientNetworkOf } from "./client-network.ts";

/**
 * Limits how many invalid API keys the clients of one network can send. Its memory has a bound, however many networks
 * there are (see `RateLimiter`).
 */
export class FailedAuthentications {
  readonly #limit: number;
  readonly #failures: RateLimiter<string>;

  /**
   * @param limit how many invalid API keys a network may send in a minute
   * @param now a clock in milliseconds, which may jump
   */
  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#failures = new RateLimiter(now);
  }

  /**
   * Runs a look-up of an API key. It counts as a failure before it starts, so that many at the same time cannot pass
   * the limit, and no longer if it finds a valid key or fails itself.
   *
   * @throws AppError `rate_limited` if the client has sent too many invalid keys
   */
  async limit<Found>(request: AddressedRequest, lookUp: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const network = clientNetworkOf(request);
    const { granted, dueInMs } = this.#failures.take(network, this.#limit);
    if (granted === 0) throw this.#refusal(dueInMs);
    let isInvalid = false;
    try {
      const found = await lookUp();
      isInvalid = found === undefined;
      return found;
    } finally {
      if (!isInvalid) this.#failures.giveBack(network, 1);
    }
  }

  #refusal(waitMs: number): AppError {
    const seconds = Math.ceil(waitMs / 1000);
    return new AppError(
      "rate_limited",
      `Your network has sent too many invalid API keys: at most ${this.#limit} per minute are allowed. ` +
        `Check your API key, and retry after ${seconds} s.`,
      { facts: { retryAfterS: seconds }, reason: "invalid_keys_of_network" },
    );
  }
}
