import { AbortError } from "../errors/abort-error.ts";
import type { RateLimit } from "../headers/rate-limit.ts";
import { Pace } from "./pace.ts";
import type { Timing } from "./timing.ts";

/** A call that wants to send a request. */
export interface Entering {
  /** From `takeNumber`. Calls are let through in this order, so that a retry does not wait for calls that came later. */
  readonly number: number;
  /** It waits until fewer requests than this are on their way. */
  readonly maxConcurrent: number;
  /** Ends its wait. */
  readonly signal: AbortSignal | undefined;
}

/** A place in the line. Each knows its neighbors, so that leaving a long line is as cheap as a short one. */
interface Place extends Entering {
  readonly letThrough: () => void;
  /** Undefined as soon as the call has left the line. */
  ahead: Place | undefined;
  behind: Place | undefined;
}

/**
 * The line in which the calls of an API key wait until their request may be sent: until few enough are on their way, and as the
 * service refills the limit of the key, once it has refused a request. First in, first out.
 */
export class Line {
  readonly #timing: Timing;
  /** Nobody stands here. The first call is behind it. */
  readonly #front = createPlace({ number: -1, maxConcurrent: 0, signal: undefined }, () => {});
  #last = this.#front;
  #numbers = 0;
  #onTheirWay = 0;
  /** Undefined as long as the service has refused nothing. */
  #pace: Pace | undefined;
  #stopTimer = (): void => {};

  constructor(timing: Timing) {
    this.#timing = timing;
  }

  /** Returns the number of a new call. */
  takeNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  /**
   * Counts a request of the call as on its way, as soon as it may be. Returns nothing if that is now, which saves a turn of the
   * event loop. Each call that has entered leaves.
   *
   * @throws AbortError if the signal has aborted, or aborts while the call waits
   */
  enter(call: Entering): Promise<void> | undefined {
    if (call.signal?.aborted) return this.#wait(call);
    const isEmpty = this.#front.behind === undefined;
    if (isEmpty && this.#onTheirWay === 0 && this.#pace?.isOver(this.#timing.nowMs())) this.#pace = undefined;
    if (!isEmpty || this.#pace !== undefined || this.#onTheirWay >= call.maxConcurrent) return this.#wait(call);
    this.#onTheirWay += 1;
    return undefined;
  }

  /** Lets the next call through, as the request of one is no longer on its way. */
  leave(): void {
    this.#onTheirWay -= 1;
    this.#letThrough();
  }

  /** Makes all calls wait, as the limit of the key refused one that has entered, and then go as the limit refills. */
  pause(pauseMs: number, rateLimit: RateLimit): void {
    this.#pace ??= new Pace();
    this.#pace.pause(this.#timing.nowMs(), pauseMs, rateLimit);
  }

  /** Corrects the pace by a response to a call that has entered. Reads nothing of it as long as nothing was refused. */
  note(sentMs: number, isSuccess: boolean, readRateLimit: () => RateLimit | undefined): void {
    if (this.#pace === undefined) return;
    const rateLimit = readRateLimit();
    if (rateLimit !== undefined) {
      this.#pace.note(this.#timing.nowMs(), { rateLimit, sentMs, onTheirWay: this.#onTheirWay - 1 });
    } else if (isSuccess) {
      // The service says on each of its responses what is left, so the key has no limit any more.
      this.#pace = undefined;
    }
  }

  #wait(call: Entering): Promise<void> {
    const { signal } = call;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        reject(new AbortError(signal?.reason));
        this.#remove(place);
        this.#letThrough();
      };
      const letThrough = (): void => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const place = createPlace(call, letThrough);
      if (signal?.aborted) return reject(new AbortError(signal.reason));
      signal?.addEventListener("abort", stop, { once: true });
      this.#add(place);
      this.#letThrough();
    });
  }

  #add(place: Place): void {
    // Most come last. A retry is among the first.
    let before = this.#last.number < place.number ? this.#last : this.#front;
    while (before.behind !== undefined && before.behind.number < place.number) before = before.behind;
    place.ahead = before;
    place.behind = before.behind;
    if (place.behind === undefined) this.#last = place;
    else place.behind.ahead = place;
    before.behind = place;
  }

  #remove(place: Place): void {
    const { ahead, behind } = place;
    if (ahead === undefined) return;
    ahead.behind = behind;
    if (behind === undefined) this.#last = ahead;
    else behind.ahead = ahead;
    place.ahead = undefined;
  }

  /** Lets calls through as far as they may go. If the pace holds up the first one, a timer does it again. */
  #letThrough(): void {
    this.#stopTimer();
    for (;;) {
      const first = this.#removeAborted();
      if (first === undefined || this.#onTheirWay >= first.maxConcurrent) return;
      const nowMs = this.#timing.nowMs();
      const waitMs = this.#pace?.waitMs(nowMs) ?? 0;
      if (waitMs > 0) {
        this.#stopTimer = this.#timing.startTimer(waitMs, () => this.#letThrough());
        return;
      }
      this.#pace?.take(nowMs);
      this.#onTheirWay += 1;
      this.#remove(first);
      first.letThrough();
    }
  }

  /**
   * Returns the first call that still wants to send. A signal that many calls share is aborted for all of them before
   * the first one is notified, and each of the others would take a request of the limit, but send none.
   */
  #removeAborted(): Place | undefined {
    let first = this.#front.behind;
    while (first?.signal?.aborted) {
      this.#remove(first);
      first = this.#front.behind;
    }
    return first;
  }
}

function createPlace(call: Entering, letThrough: () => void): Place {
  return { ...call, letThrough, ahead: undefined, behind: undefined };
}
