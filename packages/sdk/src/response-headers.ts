/** How much of the rate limit of the API key is left, as of a response. */
export interface RateLimit {
  /** How many requests the API key may send in the service's interval, which is a minute. */
  readonly limit: number;
  /** How many requests it may still send now. */
  readonly remaining: number;
  /** How long until it may send one more, in milliseconds. */
  readonly resetMs: number;
}

/**
 * Reads `RateLimit-Policy: "default";q=6000;w=60` and `RateLimit: "default";r=5999;t=1`.
 *
 * @returns undefined if the response has not both of them in this form, because the API key has no limit
 */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const values = `${headers.get("ratelimit-policy")} ${headers.get("ratelimit")}`;
  // Anchored, and no part of it can match in two ways: a hostile value takes no longer than its length.
  const [match, limit, remaining, seconds] = /^[^ ;]*;q=(\d+);w=\d+ [^ ;]*;r=(\d+);t=(\d+)$/.exec(values) ?? [];
  return match === undefined
    ? undefined
    : { limit: Number(limit), remaining: Number(remaining), resetMs: Number(seconds) * 1_000 };
}

/**
 * Reads `Retry-After`: whole seconds, or an HTTP date.
 *
 * @param nowMs milliseconds since 1970
 * @returns milliseconds from now, at least 0; undefined if the header is missing or has neither form
 */
export function readRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  // Date.parse accepts nearly anything with a digit; an HTTP date ends in GMT.
  const dateMs = header.endsWith(" GMT") ? Date.parse(header) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
