/**
 * Lends one connection to one user at a time, in the order of their calls. Kysely's own lock for single connections wakes
 * every waiter at each release, which costs as much as the queries when hundreds wait.
 */
export class ConnectionQueue {
  readonly #waiting: (() => void)[] = [];
  #isInUse = false;

  get isInUse(): boolean {
    return this.#isInUse;
  }

  async acquire(): Promise<void> {
    if (this.#isInUse) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#isInUse = true;
  }

  /** Passes the connection to the first in the queue. Nobody can acquire it in between. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isInUse = false;
    else next();
  }
}
