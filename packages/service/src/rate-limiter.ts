import { AppError } from "./app-error.ts";

/** Counts the requests of API keys. */
export interface RateLimits {
  /**
   * Counts one request of a key, if its limit allows it.
   *
   * @param limit requests a minute, at least 1
   */
  take(keyId: number, limit: number): Grant | Promise<Grant>;
}

/** What a key was allowed. */
export interface Grant {
  /** How many requests, at most as many as were asked for. */
  readonly granted: number;
  /** How many more requests the key could make now. */
  readonly remaining: number;
  /** The time until one more request is allowed. */
  readonly dueInMs: number;
}

/** What one request adds to a level. */
export const oneRequest = 60_000;

/** In a minute, any level falls to 0. */
const minuteMs = 60_000;
/** More keys than a minute has, unless an attacker makes them up. Twice as many take 40 MB if each is an IPv6 network. */
const maxKeys = 100_000;

interface KeyState {
  level: number;
  atMs: number;
}

/**
 * Counts the requests of each key in this process. This is the generic cell rate algorithm in its form of a leaky bucket
 * (ITU-T I.371, annex A): a request adds 60,000 to the level of its key, a millisecond removes `limit`, and a level never
 * passes `limit` requests. All of these are whole numbers, so no sum is rounded.
 *
 * A key is forgotten once it was not counted for a minute, or once 100,000 others were counted since.
 */
export class RateLimiter<Key extends number | string = number> {
  readonly #now: () => number;
  #recent = new Map<Key, KeyState>();
  /** The keys of the time before, of which some are also in `#recent`. To delete keys one by one slows a map down. */
  #earlier: ReadonlyMap<Key, KeyState> = this.#recent;
  #sinceMs = 0;

  /** @param now a clock in milliseconds, which may jump */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts requests of a key: as many as are wanted, or as its limit still allows. */
  take(key: Key, limit: number, wanted = 1): Grant {
    const nowMs = Math.floor(this.#now());
    const state = this.#find(key) ?? { level: 0, atMs: nowMs };
    if (this.#recent.size >= maxKeys || nowMs - this.#sinceMs >= minuteMs) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
      this.#sinceMs = nowMs;
    }
    this.#recent.set(key, state);
    // If the clock was set back, nothing is removed. If the limit was lowered, a level past it counts as a full one.
    const passedMs = Math.max(0, nowMs - state.atMs);
    const level = Math.max(0, Math.min(state.level, limit * oneRequest) - passedMs * limit);
    const allowed = Math.floor(limit - level / oneRequest);
    const granted = Math.min(wanted, allowed);
    state.level = level + granted * oneRequest;
    state.atMs = nowMs;
    // For a level of 0, this is the time of one request.
    const dueInMs = Math.ceil((state.level % oneRequest || oneRequest) / limit);
    return { granted, remaining: allowed - granted, dueInMs };
  }

  /** Takes back requests that were counted and not made. */
  giveBack(key: Key, count: number): void {
    const state = this.#find(key);
    if (state !== undefined) state.level = Math.max(0, state.level - count * oneRequest);
  }

  #find(key: Key): KeyState | undefined {
    return this.#recent.get(key) ?? this.#earlier.get(key);
  }
}

/** Returns the headers that say how much of its limit a key has left (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateLimitHeaders(limit: number, grant: Grant): readonly (readonly [name: string, value: string])[] {
  return [
    ["RateLimit-Policy", `"default";q=${limit};w=60`],
    ["RateLimit", `"default";r=${grant.remaining};t=${toSeconds(grant)}`],
  ];
}

/** Returns the refusal of a request past the limit of its key. */
export function rateLimited(limit: number, grant: Grant): AppError {
  const retryAfterS = toSeconds(grant);
  const detail =
    `This API key has reached its limit of ${limit} requests per minute. ` +
    `Retry after ${retryAfterS} s, or ask the operator for a higher limit.`;
  return new AppError("rate_limited", detail, { facts: { retryAfterS } });
}

/** Returns the time until one more request is allowed, as the headers say it. */
export function toSeconds({ dueInMs }: Grant): number {
  return Math.ceil(dueInMs / 1000);
}
