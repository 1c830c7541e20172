import type { RateLimit } from "../headers/rate-limit.ts";
import { maxPauseMs } from "./retry-rule.ts";

/** The service's limits are per minute. */
const minuteMs = 60_000;

/**
 * When the next request may be sent, since the service has refused one by the rate limit of the API key. First nothing is sent
 * for the announced time. Then requests are sent as the service's bucket refills: the limit divided by 60 each second. Decides
 * only: each time is passed to it, in milliseconds since 1970.
 */
export class Pace {
  /** How many requests the bucket holds, and is filled with in a minute. */
  #limit = 1;
  /** When the announced time is over. */
  #openMs = Number.NEGATIVE_INFINITY;
  /** How many requests could be sent at `#atMs`. Below 0 if more are on their way than the bucket had. */
  #room = 0;
  #atMs = 0;

  /** Notes a refusal. From now on, nothing is sent for `pauseMs`, or as long as an earlier refusal announced. */
  pause(nowMs: number, pauseMs: number, rateLimit: RateLimit): void {
    this.#limit = readLimit(rateLimit);
    this.#openMs = Math.max(this.#openMs, nowMs + pauseMs);
    this.#atMs = this.#openMs;
    // The service promises one request after the time that it announces, however slowly its bucket refills.
    this.#room = Math.max(1, this.#refill(this.#openMs - nowMs));
  }

  /**
   * Notes what a response says is left. One to a request that was sent before the last refusal is out of date.
   *
   * @param onTheirWay how many requests the service may not have counted yet
   */
  note(nowMs: number, { rateLimit, sentMs, onTheirWay }: Noted): void {
    if (sentMs < this.#openMs) return;
    this.#limit = readLimit(rateLimit);
    this.#room = rateLimit.remaining - onTheirWay;
    this.#atMs = nowMs;
  }

  /** How long until it is worth asking again whether a request may be sent, in milliseconds: 0 if it may be sent now. */
  waitMs(nowMs: number): number {
    // A clock that was set back would make it wait for as long as that.
    if (this.#openMs - nowMs > maxPauseMs) this.#openMs = nowMs;
    this.#atMs = Math.min(this.#atMs, Math.max(nowMs, this.#openMs));
    if (nowMs < this.#openMs) return this.#openMs - nowMs;
    const missing = 1 - this.#roomAt(nowMs);
    if (missing <= 0) return 0;
    return Math.min(maxPauseMs, Math.ceil((missing * minuteMs) / this.#limit));
  }

  /** Counts a request that is sent now. */
  take(nowMs: number): void {
    this.#room = this.#roomAt(nowMs) - 1;
    this.#atMs = nowMs;
  }

  /** Whether there is nothing to wait for any more, as the bucket is full again. */
  isOver(nowMs: number): boolean {
    return this.waitMs(nowMs) === 0 && this.#roomAt(nowMs) >= this.#limit;
  }

  #roomAt(nowMs: number): number {
    return Math.min(this.#limit, this.#room + this.#refill(nowMs - this.#atMs));
  }

  #refill(passedMs: number): number {
    return (passedMs * this.#limit) / minuteMs;
  }
}

/** Returns the limit of a response, which may be any number, such as 0. */
function readLimit({ limit }: RateLimit): number {
  return Math.min(Math.max(1, limit), Number.MAX_SAFE_INTEGER);
}

/** What a response says is left. */
interface Noted {
  readonly rateLimit: RateLimit;
  readonly sentMs: number;
  readonly onTheirWay: number;
}
