import { AppError, RateLimiter } from "@siteward/service";
import { type AddressedRequest, clientNetworkOf } from "./client-network.ts";

interface FailedAuthenticationsOptions {
  /** How many invalid API keys a client may send in a minute; 0 for no limit. */
  readonly limit: number;
  /** A clock in milliseconds, which may jump. */
  readonly now: () => number;
}

/**
 * Limits how many invalid API keys the clients of one network can send. Its memory does not grow with the number of networks: past
 * 100,000, they share one count (see `RateLimiter`).
 */
export class FailedAuthentications {
  readonly #limit: number;
  readonly #failures: RateLimiter<string>;

  constructor({ limit, now }: FailedAuthenticationsOptions) {
    this.#limit = limit;
    this.#failures = new RateLimiter(now);
  }

  /**
   * Runs a look-up of an API key. It counts as a failure before it starts, so that many at the same time cannot pass the limit,
   * and no longer if it finds a valid key or fails itself.
   *
   * @throws AppError `rate_limited` if the client has sent too many invalid keys
   */
  async limit<Found>(request: AddressedRequest, lookUp: () => Promise<Found | undefined>): Promise<Found | undefined> {
    if (this.#limit === 0) return lookUp();
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
