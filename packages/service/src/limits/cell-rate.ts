/** What one request adds to a level. */
export const oneRequest = 60_000;

/** How many requests a minute are allowed, and the time, in whole milliseconds. */
export interface CellRate {
  readonly limit: number;
  readonly nowMs: number;
}

/**
 * Returns a level as it is now. This is the generic cell rate algorithm in its form of a leaky bucket (ITU-T I.371, annex
 * A): a request adds 60,000, a millisecond removes `limit`, and a level never passes `limit` requests. All of these are
 * whole numbers, so no sum is rounded.
 *
 * If the clock has jumped back since the level was noted, nothing is removed. If the limit was lowered, a level past it counts
 * as a full one, so it is 0 after a minute like any other.
 */
export function levelNow(noted: { level: number; atMs: number }, { limit, nowMs }: CellRate): number {
  const passedMs = Math.max(0, nowMs - noted.atMs);
  return Math.max(0, Math.min(noted.level, limit * oneRequest) - passedMs * limit);
}

/** Returns how many more requests a level allows. */
export function countAllowed(level: number, limit: number): number {
  return Math.floor((limit * oneRequest - level) / oneRequest);
}

/** Returns the time until a level allows one more request than now. For a level of 0, this is the time of one request. */
export function untilNextMs(level: number, limit: number): number {
  return Math.ceil((level % oneRequest || oneRequest) / limit);
}
