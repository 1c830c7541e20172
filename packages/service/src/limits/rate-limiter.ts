import type { Grant } from "./rate-limits.ts";

/** What one request adds to a level. */
export const oneRequest = 60_000;

/** How many keys are counted one by one. They take 20 MB if each is the text of an IPv6 network. */
const maxKeys = 100_000;
/** At how many keys each new one looks, to forget those that are at level 0. To look at all at once would take up to 50 ms. */
const looksPerKey = 8;

interface KeyState {
  level: number;
  atMs: number;
  limit: number;
}

/**
 * Counts the requests of each key in this process. This is the generic cell rate algorithm in its form of a leaky bucket (ITU-T
 * I.371, annex A): a request adds 60,000 to the level of its key, a millisecond removes `limit`, and a level never passes `limit`
 * requests. All of these are whole numbers, so no sum is rounded.
 *
 * Keys whose level is 0 are forgotten as others come, and no other key is, so no flood of keys resets a count. While as many keys as
 * are remembered have a level, the keys past them share one count. With a limit of 600, that takes a million requests a second.
 */
export class RateLimiter<Key extends number | string = number> {
  readonly #now: () => number;
  readonly #maxKeys: number;
  readonly #keys = new Map<Key, KeyState>();
  /** The count of all keys for which there is no room. */
  readonly #others: KeyState = { level: 0, atMs: 0, limit: 0 };
  /** Goes round the keys. */
  #hand = this.#keys.entries();

  /** @param now a clock in milliseconds, which may jump */
  constructor(now: () => number, options: { maxKeys?: number } = {}) {
    this.#now = now;
    this.#maxKeys = options.maxKeys ?? maxKeys;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#keys.size;
  }

  /** Counts requests of a key: as many as are wanted, or as its limit still allows. */
  take(key: Key, limit: number, wanted = 1): Grant {
    const nowMs = Math.floor(this.#now());
    const state = this.#find(key, limit, nowMs);
    // The others can have several limits. A low one must not cut what keys with higher ones have filled.
    const limitOfLevel = state === this.#others ? Math.max(limit, state.limit) : limit;
    state.level = levelNow(state, { limit, limitOfLevel, nowMs });
    state.atMs = nowMs;
    state.limit = limitOfLevel;
    const allowed = Math.max(0, Math.floor((limit * oneRequest - state.level) / oneRequest));
    const granted = Math.min(wanted, allowed);
    state.level += granted * oneRequest;
    // For a level of 0, this is the time of one request.
    const dueInMs = Math.ceil((state.level % oneRequest || oneRequest) / limit);
    return { granted, remaining: allowed - granted, dueInMs };
  }

  /** Takes back requests that were counted and not made. */
  giveBack(key: Key, count: number): void {
    const state = this.#keys.get(key) ?? this.#others;
    state.level = Math.max(0, state.level - count * oneRequest);
  }

  #find(key: Key, limit: number, nowMs: number): KeyState {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    this.#forgetSome(nowMs);
    if (this.#keys.size >= this.#maxKeys) return this.#others;
    const state = { level: 0, atMs: nowMs, limit };
    this.#keys.set(key, state);
    return state;
  }

  /** Only a new key makes the map grow, so it is enough to call this then. */
  #forgetSome(nowMs: number): void {
    for (let looks = 0; looks < looksPerKey; looks += 1) {
      const next = this.#hand.next();
      if (next.done === true) {
        this.#hand = this.#keys.entries();
        return;
      }
      const [key, state] = next.value;
      const { limit } = state;
      if (levelNow(state, { limit, limitOfLevel: limit, nowMs }) === 0) this.#keys.delete(key);
    }
  }
}

interface LevelTime {
  /** What a millisecond removes. */
  readonly limit: number;
  /** The level is at most this many requests. */
  readonly limitOfLevel: number;
  readonly nowMs: number;
}

/**
 * Returns a level as it is now. If the clock has jumped back since the level was noted, nothing is removed. If the limit was
 * lowered, a level past it counts as a full one, so it is 0 after a minute like any other.
 */
function levelNow(noted: KeyState, { limit, limitOfLevel, nowMs }: LevelTime): number {
  const passedMs = Math.max(0, nowMs - noted.atMs);
  return Math.max(0, Math.min(noted.level, limitOfLevel * oneRequest) - passedMs * limit);
}
