import { storageUnavailable } from "@siteward/service";

/** How many callers can have a connection at once, and how long the others wait. */
interface SemaphoreLimits {
  readonly max: number;
  readonly maxWaitMs: number;
}

/**
 * Limits how many callers have a connection at once, in the order of their calls. Fails for callers that have waited too
 * long: it is better to refuse a request that cannot be served soon than to keep it waiting.
 */
export class ConnectionSemaphore {
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor({ max, maxWaitMs }: SemaphoreLimits) {
    this.#free = max;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Waits for a connection to be free. Call `release` when it is no longer used.
   *
   * @throws StorageError `unavailable` if no connection was released in time
   */
  async acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = setTimeout(() => {
      this.#waiting.delete(resolve);
      reject(storageUnavailable(new Error(`No connection to the database was free within ${this.#maxWaitMs} ms.`)));
    }, this.#maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  /** Passes the connection directly to the caller that has waited longest, so that no other caller can acquire it first. */
  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
