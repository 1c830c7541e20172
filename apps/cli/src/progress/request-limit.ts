/** The rate limit of the API key, as of the last response. */
export interface RequestLimit {
  readonly perMinute: number;
  /** How many requests may still be sent at once. */
  readonly remaining: number;
  /** Whether requests wait for it. */
  readonly isWaitedFor: boolean;
}

/** Of the API key that the process uses: it has one. Undefined while no response has named a limit. */
let known: { readonly limit: number; readonly remaining: number } | undefined;
let isRefused = false;

/** Remembers what a response says of the rate limit. */
export function noteRequestLimit(rateLimit: { readonly limit: number; readonly remaining: number }): void {
  known = rateLimit;
}

/** Remembers that the rate limit has refused a request, which is sent again later. */
export function noteRefusal(): void {
  isRefused = true;
}

/** Returns the rate limit of the API key; undefined if it has none, or if no response has named it yet. */
export function readRequestLimit(): RequestLimit | undefined {
  if (known === undefined) return undefined;
  const { limit, remaining } = known;
  // After a refusal, requests go as the limit refills. More than a second of it is left only if they are slower than that.
  return { perMinute: limit, remaining, isWaitedFor: isRefused && remaining <= limit / 60 };
}
