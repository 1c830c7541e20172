import { AbortError } from "../errors/siteward-error.ts";
import type { RateLimit } from "../response-headers.ts";
import { maxPauseMs } from "./retry-rule.ts";

/** A call that wants to send a request. */
export interface Entering {
  /** A retry goes first, so that it does not wait for calls that came later. */
  readonly isRetry: boolean;
  /** It waits until fewer requests than this are on their way. */
  readonly maxConcurrent: number;
  /** Ends its wait. */
  readonly signal: AbortSignal | undefined;
}

/** A call that waits. */
interface Place extends Entering {
  readonly letThrough: () => void;
}

/**
 * The line in which the calls of an API key wait until their request may be sent: until few enough are on their way
 * and, after a refusal, as fast as the limit of the key allows. First in, first out.
 */
export class Line {
  readonly #retries = new Set<Place>();
  readonly #others = new Set<Place>();
  #onTheirWay = 0;
  /** When the next request may be sent, in milliseconds since 1970. */
  #openMs = 0;
  /** How long after a request the next one may be sent. 0 as long as the service has refused nothing. */
  #gapMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Counts a request of the call as on its way, as soon as it may be. Each call that has entered leaves.
   *
   * @throws AbortError if the signal has aborted, or aborts while the call waits
   */
  enter(call: Entering): Promise<void> {
    const { isRetry, signal } = call;
    const places = isRetry ? this.#retries : this.#others;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        places.delete(place);
        reject(new AbortError(signal?.reason));
        this.#letThrough();
      };
      const letThrough = (): void => {
        places.delete(place);
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const place = { ...call, letThrough };
      if (signal?.aborted) return stop();
      signal?.addEventListener("abort", stop, { once: true });
      places.add(place);
      this.#letThrough();
    });
  }

  /** Lets the next call through, as the request of one is no longer on its way. */
  leave(): void {
    this.#onTheirWay -= 1;
    this.#letThrough();
  }

  /**
   * Makes all calls wait, as the limit of the key refused one that has entered, and then go one by one as the limit
   * refills.
   */
  pause(pauseMs: number, { limit }: RateLimit): void {
    this.#openMs = Math.max(this.#openMs, Date.now() + pauseMs);
    this.#gapMs = 60_000 / Math.max(1, limit);
  }

  /**
   * Lets all calls go at once again, as a success says that half of the limit is left, or that the key has none any
   * more.
   */
  note(rateLimit: RateLimit | undefined): void {
    if (rateLimit === undefined || rateLimit.remaining * 2 >= rateLimit.limit) this.#openMs = this.#gapMs = 0;
  }

  /** Lets calls through as far as they may go. If the limit holds up the first one, a timer does it again. */
  #letThrough(): void {
    clearTimeout(this.#timer);
    const nowMs = Date.now();
    // A clock that was set back would make all calls wait for as long as that.
    if (this.#openMs - nowMs > maxPauseMs) this.#openMs = nowMs;
    for (const places of [this.#retries, this.#others]) {
      for (const place of places) {
        if (this.#onTheirWay >= place.maxConcurrent) return;
        if (place.signal?.aborted) {
          // A signal that many calls share is aborted for all of them before the first one is told. None takes a turn.
          places.delete(place);
          continue;
        }
        const waitMs = this.#openMs - nowMs;
        if (waitMs > 0) {
          this.#timer = setTimeout(() => this.#letThrough(), waitMs);
          return;
        }
        this.#openMs = Math.max(this.#openMs, nowMs) + this.#gapMs;
        this.#onTheirWay += 1;
        place.letThrough();
      }
    }
  }
}
