import { countAllowed, levelNow, oneRequest, untilNextMs } from "./cell-rate.ts";
import type { Grant, RateLimits } from "./rate-limits.ts";

/** A key takes about 120 bytes. */
const maxKeys = 100_000;
/** Whatever its limit, a key that has sent nothing for this long is at level 0. */
const sweepIntervalMs = 60_000;

interface KeyState {
  level: number;
  atMs: number;
  limit: number;
}

/**
 * Counts the requests of each key in this process. A key whose level is 0 is forgotten within a minute. If there were more
 * keys than the limit, the one that began first would be forgotten, and so could send its limit once more.
 */
export class RateLimiter implements RateLimits {
  readonly #now: () => number;
  readonly #maxKeys: number;
  readonly #keys = new Map<number, KeyState>();
  #sweptAtMs: number;

  /** @param now a clock in milliseconds, which may jump */
  constructor(now: () => number, options: { maxKeys?: number } = {}) {
    this.#now = now;
    this.#maxKeys = options.maxKeys ?? maxKeys;
    this.#sweptAtMs = Math.floor(now());
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#keys.size;
  }

  /** Counts requests of a key: as many as are wanted, or as its limit still allows. */
  take(keyId: number, limit: number, wanted = 1): Grant {
    const nowMs = Math.floor(this.#now());
    const state = this.#find(keyId, limit, nowMs);
    state.level = levelNow(state, { limit, nowMs });
    state.atMs = nowMs;
    state.limit = limit;
    const allowed = countAllowed(state.level, limit);
    const granted = Math.min(wanted, allowed);
    state.level += granted * oneRequest;
    return { granted, remaining: allowed - granted, dueInMs: untilNextMs(state.level, limit) };
  }

  /** Takes back requests that were counted and not made. */
  giveBack(keyId: number, count: number): void {
    const state = this.#keys.get(keyId);
    if (state !== undefined) state.level = Math.max(0, state.level - count * oneRequest);
  }

  #find(keyId: number, limit: number, nowMs: number): KeyState {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    this.#sweep(nowMs);
    if (this.#keys.size >= this.#maxKeys) this.#forgetFirst();
    const state = { level: 0, atMs: nowMs, limit };
    this.#keys.set(keyId, state);
    return state;
  }

  /** Only a new key makes the map grow, so it is enough to look then. 100,000 keys take 2 ms. */
  #sweep(nowMs: number): void {
    // A clock that jumped back must not put this off.
    if (nowMs >= this.#sweptAtMs && nowMs - this.#sweptAtMs < sweepIntervalMs) return;
    this.#sweptAtMs = nowMs;
    for (const [keyId, state] of this.#keys) {
      if (levelNow(state, { limit: state.limit, nowMs }) === 0) this.#keys.delete(keyId);
    }
  }

  #forgetFirst(): void {
    const [first] = this.#keys.keys();
    if (first !== undefined) this.#keys.delete(first);
  }
}
