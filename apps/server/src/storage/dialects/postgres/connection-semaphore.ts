/** How many users may have connections at once, and how long others wait. */
export interface SemaphoreLimits {
  readonly max: number;
  readonly maxWaitMs: number;
}

/**
 * Grants the right to use a connection, in the order of the calls, and fails for those that waited too long: it is better
 * to refuse a request that cannot be served soon than to keep it.
 */
export class ConnectionSemaphore {
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor({ max, maxWaitMs }: SemaphoreLimits) {
    this.#free = max;
    this.#maxWaitMs = maxWaitMs;
  }

  /** @throws Error if none was released in time */
  async acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = setTimeout(() => {
      this.#waiting.delete(resolve);
      reject(new Error(`No connection to the database was free within ${this.#maxWaitMs} ms.`));
    }, this.#maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  /** Passes the right to the first who waits. Nobody can acquire it in between. */
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
