import { FairQueue } from "../../queues/fair-queue.ts";

/** How long requests are started in one turn of the event loop. The first of a turn is always started. */
const maxTurnMs = 10;
/** How many of the waiting requests are started in one turn, if they are fast. */
const maxStarts = 100;

/**
 * Spreads the requests of all connections over turns of the event loop. Node accepts one connection per turn, so while 200
 * connections requested pages of 100, a turn took 200 ms and a new connection waited for 3 seconds. Now it waits for 0.3.
 * Requests that a turn has no time for start in the next turns. API keys take turns: next to 500 connections of one key, the only
 * request of another one waited for most of theirs. As each connection has at most one request here, the connections of a key take
 * turns, too.
 */
export class RequestTurns {
  readonly #now: () => number;
  /** Requests in progress have a bound of their own. */
  readonly #waiting = new FairQueue<() => void>({
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerKey: Number.POSITIVE_INFINITY,
  });
  readonly #onTurn = () => this.#nextTurn();
  readonly #onStart = () => this.#startNext();
  /** Whether this turn has started a request. */
  #hasStarted = false;
  #endsAtMs = 0;
  #isTurnScheduled = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Calls the function now if the turn has time for it, or else in a later turn.
   *
   * @param keyId the API key that the request counts for
   */
  start(keyId: number, start: () => void): void {
    if (!this.#isTurnScheduled) this.#scheduleTurn();
    if (this.#waiting.size === 0 && this.#hasTime()) start();
    else this.#waiting.enter(keyId, start);
  }

  #hasTime(): boolean {
    if (this.#hasStarted) return this.#now() < this.#endsAtMs;
    this.#hasStarted = true;
    this.#endsAtMs = this.#now() + maxTurnMs;
    return true;
  }

  #scheduleTurn(): void {
    this.#isTurnScheduled = true;
    setImmediate(this.#onTurn);
  }

  #nextTurn(): void {
    this.#hasStarted = false;
    this.#isTurnScheduled = false;
    if (this.#waiting.size === 0) return;
    this.#scheduleTurn();
    // Each gets a callback of its own, so that Node finishes what one has started before the time is compared again.
    for (let count = Math.min(this.#waiting.size, maxStarts); count > 0; count -= 1) setImmediate(this.#onStart);
  }

  #startNext(): void {
    if (this.#waiting.size > 0 && this.#hasTime()) this.#waiting.next()?.();
  }
}
