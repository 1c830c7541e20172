import { hash } from "node:crypto";
import { AppError } from "@siteward/service";
import { FailureSketch } from "../limits/failure-sketch.ts";
import { type AddressedRequest, clientNetworkOf } from "./client-network.ts";

export interface FailedAuthenticationsOptions {
  /** How many invalid API keys a client may send in a minute; 0 for no limit. */
  readonly limit: number;
  /** Random text, so that no client can find addresses that are counted together with another's. */
  readonly seed: string;
  /** A clock in milliseconds, which may jump. */
  readonly now: () => number;
}

/** Limits how many invalid API keys the clients of one network can send. */
export class FailedAuthentications {
  readonly #limit: number;
  readonly #sketch: FailureSketch;

  constructor({ limit, seed, now }: FailedAuthenticationsOptions) {
    this.#limit = limit;
    this.#sketch = new FailureSketch({ limit, now, hash: (name) => hash("sha256", seed + name, "buffer") });
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
    const waitMs = this.#sketch.take(network);
    if (waitMs !== undefined) throw this.#refusal(waitMs);
    let isInvalid = false;
    try {
      const found = await lookUp();
      isInvalid = found === undefined;
      return found;
    } finally {
      if (!isInvalid) this.#sketch.giveBack(network);
    }
  }

  #refusal(waitMs: number): AppError {
    const seconds = Math.ceil(waitMs / 1000);
    return new AppError(
      "rate_limited",
      `Your network has sent too many invalid API keys: at most ${this.#limit} per minute are allowed. Check your API key, and retry after ${seconds} s.`,
      { headers: { "Retry-After": String(seconds) } },
    );
  }
}
