import { type AppError, tooManyWait } from "@siteward/service";
import { FairQueue, type FairQueueLimits } from "../../../queues/fair-queue.ts";

interface Waiter {
  readonly start: () => void;
  readonly refuse: (error: AppError) => void;
}

/** A caller that runs outside of a group, such as one that empties the log. */
interface LoneWaiter {
  readonly start: () => void;
  /** How many transactions must have started: those that waited when it came are among the first. */
  readonly afterStarts: number;
}

/**
 * The callers that wait for the connection that writes. Accounts take turns, so that 500 transactions of one account do not
 * keep the only one of another waiting.
 */
export class TransactionLine {
  readonly #waiting: FairQueue<Waiter>;
  readonly #alone: LoneWaiter[] = [];
  #starts = 0;

  constructor(limits: FairQueueLimits) {
    this.#waiting = new FairQueue(limits);
  }

  /** How many transactions wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Whether the next caller runs outside of a group. */
  get isNextAlone(): boolean {
    const [first] = this.#alone;
    return first !== undefined && (this.#waiting.size === 0 || this.#starts >= first.afterStarts);
  }

  /** @throws AppError `unavailable` if too many wait */
  wait(accountId: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.enter(accountId, { start: resolve, refuse: reject })?.refuse(tooManyWait());
    return promise;
  }

  /** Waits until as many transactions have started as wait now, to run outside of a group. */
  waitAlone(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#alone.push({ start: resolve, afterStarts: this.#starts + this.#waiting.size });
    return promise;
  }

  /** Removes the next caller. */
  next(): { readonly start: () => void } | undefined {
    if (this.isNextAlone) return this.#alone.shift();
    const next = this.#waiting.next();
    if (next !== undefined) this.#starts += 1;
    return next;
  }
}
