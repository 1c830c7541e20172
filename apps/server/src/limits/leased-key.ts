import type { Grant } from "@siteward/service";
import { oneRequest } from "@siteward/service";

/** What a worker knows about one key. */
export class LeasedKey {
  readonly limit: number;
  /** Called with what each waiting request gets, in order. */
  readonly waiting: ((grant: Grant) => void)[] = [];
  /** How many requests the worker has counted since it last looked what is unused. */
  used = 0;
  /** The same of the time before that. */
  usedBefore = 0;
  /** How many requests have been asked for and not been answered. */
  asked = 0;
  /** How many of these were served without an answer. */
  servedUnanswered = 0;
  #tokens = 0;
  /** What remained at the first process after the last grant. */
  #remaining = 0;
  #dueAtMs = 0;
  #isRefused = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Adds what the first process has granted. */
  add({ granted, remaining, dueInMs }: Grant, nowMs: number): void {
    const spent = Math.min(granted, this.servedUnanswered);
    this.#tokens += granted - spent;
    this.#remaining = remaining;
    this.#dueAtMs = nowMs + dueInMs;
    this.#isRefused = granted < this.asked;
    this.asked = 0;
    this.servedUnanswered = 0;
  }

  /** Removes tokens that go back to the first process. */
  remove(count: number): void {
    this.#tokens -= count;
  }

  /** @returns what a request gets, or undefined if the first process must be asked */
  take(nowMs: number): Grant | undefined {
    const dueInMs = this.#untilDueMs(nowMs);
    if (this.#tokens > 0) {
      this.#tokens -= 1;
      return { granted: 1, remaining: this.#remaining + this.#tokens, dueInMs };
    }
    return this.isRefused(nowMs) ? { granted: 0, remaining: 0, dueInMs } : undefined;
  }

  /** Whether the first process would refuse a request. A time too far ahead means that the clock has jumped back. */
  isRefused(nowMs: number): boolean {
    const waitMs = this.#dueAtMs - nowMs;
    return this.#isRefused && waitMs > 0 && waitMs <= Math.ceil(oneRequest / this.limit);
  }

  /** The first process is not asked for each token, so a time that has passed is the one of the last token. */
  #untilDueMs(nowMs: number): number {
    const intervalMs = oneRequest / this.limit;
    const waitMs = (this.#dueAtMs - nowMs) % intervalMs;
    return Math.ceil(waitMs > 0 ? waitMs : waitMs + intervalMs);
  }
}
