/**
 * Lets one caller at a time use a connection, in the order of the calls. Kysely's own lock for single connections wakes every
 * waiter at each release. If hundreds wait, that takes as long as the queries.
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

  /** Passes the connection directly to the first in the queue, so that no other caller can acquire it first. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isInUse = false;
    else next();
  }
}
