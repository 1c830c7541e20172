import { AppError } from "../errors/app-error.ts";
import type { Grant } from "./rate-limits.ts";

/** Names and values of headers. */
type Headers = readonly (readonly [name: string, value: string])[];

/** Returns the headers that say how much of its limit a key has left (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateLimitHeaders(limit: number, grant: Grant): Headers {
  return [
    ["RateLimit-Policy", `"default";q=${limit};w=60`],
    ["RateLimit", `"default";r=${grant.remaining};t=${toSeconds(grant)}`],
  ];
}

/** Returns the refusal of a request past the limit of its key. */
export function rateLimited(limit: number, grant: Grant): AppError {
  const seconds = toSeconds(grant);
  return new AppError(
    "rate_limited",
    `This API key has reached its limit of ${limit} requests per minute. ` +
      `Retry after ${seconds} s, or ask the operator for a higher limit.`,
    { facts: { retryAfterS: seconds } },
  );
}

/** Returns the time until one more request is allowed, as the headers say it. */
export function toSeconds({ dueInMs }: Grant): number {
  return Math.ceil(dueInMs / 1000);
}
