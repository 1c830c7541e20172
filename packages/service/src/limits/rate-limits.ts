/** What a key was allowed. */
export interface Grant {
  /** How many requests, at most as many as were asked for. */
  readonly granted: number;
  /** How many more requests the key could make now. */
  readonly remaining: number;
  /** The time until one more request is allowed. */
  readonly dueInMs: number;
}

/** Counts the requests of API keys. */
export interface RateLimits {
  /**
   * Counts one request of a key, if its limit allows it.
   *
   * @param limit requests a minute, at least 1
   */
  take(keyId: number, limit: number): Grant | Promise<Grant>;
}
