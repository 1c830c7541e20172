/**
 * Lends one connection to one user at a time, in the order of their calls. Kysely's own lock for single connections wakes
 * every waiter at each release, which costs as much as the queries when hundreds wait.
 */
export class ConnectionQueue {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  async acquire(): Promise<void> {
    if (this.#isTaken) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#isTaken = true;
  }

  /** Passes the connection to the first in the queue. Nobody can acquire it in between. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}
