import { type AppError, databaseBusy, tooManyWait } from "@siteward/service";
import { FairQueue } from "../../../queues/fair-queue.ts";
import type { CircuitBreakers, Turn } from "./circuit-breakers.ts";

interface TurnLimits {
  /** How many callers can have a turn at once. */
  readonly max: number;
  /** How many turns that hang are not counted, so that others can begin. */
  readonly maxHanging: number;
  /** How long a caller waits for its turn. */
  readonly maxWaitMs: number;
}

/** As many as wait for the thread that writes to SQLite. */
const queueLimits = { maxWaiting: 2_000, maxWaitingPerKey: 1_500 };

interface WaitingCaller {
  readonly accountId: number;
  readonly begin: (turn: Turn) => void;
  readonly refuse: (error: AppError) => void;
}

/**
 * Shares the connections of a pool out. Accounts take turns, so one with many requests does not keep the others waiting.
 *
 * A turn that hangs is not counted, and its node gets no other one. So those who wait for an answer that does not come do not take
 * all connections. If too many hang, the one that has hung for longest is canceled for the next one, once for each turn that was
 * answered in time. If nothing is answered in time, the entire database is slow, and to cancel would only lose what it does.
 */
export class ConnectionTurns {
  readonly #limits: TurnLimits;
  readonly #breakers: CircuitBreakers;
  readonly #waiting = new FairQueue<WaitingCaller>(queueLimits);
  #free: number;
  /** Turns that hang and are counted, because too many others hang. */
  readonly #hanging = new Set<Turn>();
  /** Turns that hang, or that try a node which hangs, and are not counted. The one that has hung for longest is the first. */
  readonly #uncounted = new Set<Turn>();
  readonly #canceled = new Set<Turn>();
  /** How many turns can be canceled. */
  #answeredInTime = 0;

  constructor(limits: TurnLimits, breakers: CircuitBreakers) {
    this.#limits = limits;
    this.#free = limits.max;
    this.#breakers = breakers;
    breakers.onChange(() => this.#beginNext());
  }

  /** How many callers wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a turn. Call `end` when it is over.
   *
   * It fails for callers that have waited too long: it is better to refuse a request that cannot be served soon than to keep it
   * waiting.
   *
   * @throws AppError `unavailable` if there was none in time
   */
  async begin(accountId: number): Promise<Turn> {
    return this.beginNow(accountId) ?? this.#wait(accountId);
  }

  /** Returns undefined if the caller would have to wait. This saves a read the promise. */
  beginNow(accountId: number): Turn | undefined {
    return this.#mayBegin(accountId) ? this.#begin(accountId) : undefined;
  }

  /** Call this when a turn has had no answer for long. */
  hang(turn: Turn): void {
    this.#breakers.watch(turn);
    if (this.#uncounted.has(turn)) return;
    this.#hanging.add(turn);
    this.#stopCounting();
  }

  /** @param isAnswered whether the database answered, however late */
  end(turn: Turn, isAnswered: boolean): void {
    this.#canceled.delete(turn);
    const wasCounted = !this.#uncounted.delete(turn);
    if (wasCounted) this.#free += 1;
    if (!this.#hanging.delete(turn) && wasCounted && isAnswered) {
      this.#answeredInTime = Math.min(this.#answeredInTime + 1, this.#limits.max);
    }
    if (this.#hanging.size > 0) this.#stopCounting();
    this.#breakers.noteEnd(turn, isAnswered);
    this.#beginNext();
  }

  #mayBegin(accountId: number): boolean {
    const state = this.#breakers.stateOf(accountId);
    return state === "on" ? this.#free > 0 : state === "off" && this.#uncounted.size < this.#limits.maxHanging;
  }

  /** A turn that tries a node takes the place of one that hangs, because it probably will. */
  #begin(accountId: number): Turn {
    const turn: Turn = { accountId, watchedNode: undefined, cancel: undefined };
    if (this.#breakers.stateOf(accountId) === "on") this.#free -= 1;
    else {
      this.#breakers.watch(turn);
      this.#uncounted.add(turn);
    }
    return turn;
  }

  #stopCounting(): void {
    for (const turn of this.#hanging) {
      if (this.#uncounted.size >= this.#limits.maxHanging) break;
      this.#hanging.delete(turn);
      this.#uncounted.add(turn);
      this.#free += 1;
      this.#beginNext();
    }
    while (this.#canceled.size < this.#hanging.size && this.#answeredInTime > 0) {
      const oldest = [...this.#uncounted].find((turn) => turn.cancel !== undefined && !this.#canceled.has(turn));
      if (oldest === undefined) return;
      this.#answeredInTime -= 1;
      this.#canceled.add(oldest);
      oldest.cancel?.();
    }
  }

  async #wait(accountId: number): Promise<Turn> {
    const { maxWaitMs } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const caller = { accountId, begin: resolve, refuse: reject };
    const timer = setTimeout(() => {
      this.#waiting.leave(accountId, caller);
      reject(databaseBusy(new Error(`No connection to the database was free within ${maxWaitMs} ms.`)));
    }, maxWaitMs);
    const tooMany = () => tooManyWait(new Error("Too many requests wait for a connection to the database."));
    this.#waiting.enter(accountId, caller)?.refuse(tooMany());
    return promise.finally(() => clearTimeout(timer));
  }

  #beginNext(): void {
    if (this.#waiting.size === 0) return;
    while (this.#free > 0 || !this.#breakers.areOn) {
      const next = this.#waiting.next((accountId) => this.#mayBegin(accountId));
      if (next === undefined) return;
      next.begin(this.#begin(next.accountId));
    }
  }
}
