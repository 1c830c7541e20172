import type { Request } from "express";
import { AppError } from "../errors/app-error.ts";
import type { Grant, RateLimits } from "../limits/rate-limits.ts";
import type { Step } from "./run-steps.ts";
import { addHeader } from "./send.ts";

interface LimitRateOptions {
  /** Requests a minute of a key without a limit of its own; 0 for no limit. */
  readonly defaultLimit: number;
  /** Returns the valid API key of a request. */
  readonly keyOf: (request: Request) => { readonly id: number; readonly rateLimit: number | null };
}

/**
 * Counts each request with a valid API key, and refuses it past the key's limit. Every answer says how much remains, in
 * the fields of draft-ietf-httpapi-ratelimit-headers-10.
 */
export function limitRate(rateLimits: RateLimits, { defaultLimit, keyOf }: LimitRateOptions): Step {
  return (request, response) => {
    const { id, rateLimit } = keyOf(request);
    const limit = rateLimit ?? defaultLimit;
    if (limit === 0) return;
    const judge = (grant: Grant): void => {
      const seconds = Math.ceil(grant.dueInMs / 1000);
      addHeader(response, "RateLimit-Policy", `"default";q=${limit};w=60`);
      addHeader(response, "RateLimit", `"default";r=${grant.remaining};t=${seconds}`);
      if (grant.granted === 0) throw rateLimited(limit, seconds);
    };
    const taken = rateLimits.take(id, limit);
    return taken instanceof Promise ? taken.then(judge) : judge(taken);
  };
}

function rateLimited(limit: number, seconds: number): AppError {
  return new AppError(
    "rate_limited",
    `This API key has reached its limit of ${limit} requests per minute. Retry after ${seconds} s, or ask the operator for a higher limit.`,
    { headers: { "Retry-After": String(seconds) } },
  );
}
