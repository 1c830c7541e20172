/** How many may use connections at once, and how long others wait. */
export interface PermitLimits {
  readonly max: number;
  readonly maxWaitMs: number;
}

/**
 * Gives out the right to use a connection, in the order it was asked for, and tells who waited too long: a request that
 * cannot be served soon is better refused than kept.
 */
export class ConnectionPermits {
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor({ max, maxWaitMs }: PermitLimits) {
    this.#free = max;
    this.#maxWaitMs = maxWaitMs;
  }

  /** @throws Error where none was given back in time */
  async take(): Promise<void> {
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

  /** Hands over to the first who waits, without letting anybody in between. */
  give(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
