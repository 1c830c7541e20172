/**
 * Lends one connection to one user at a time, in the order they asked. Kysely's own lock for single connections wakes
 * every waiter at each release, which costs as much as the queries once hundreds wait.
 */
export class ConnectionQueue {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  async take(): Promise<void> {
    if (this.#isTaken) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#isTaken = true;
  }

  /** Hands over to the first in the queue without letting anybody in between. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}
