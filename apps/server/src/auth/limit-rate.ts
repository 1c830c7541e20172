import type { ServerResponse } from "node:http";
import type { Request } from "express";
import { AppError } from "../errors/app-error.ts";
import { addHeader } from "../http/send.ts";
import type { Grant, RateLimits } from "../limits/rate-limits.ts";
import { principalOf } from "./principal.ts";

/**
 * Counts each request with a valid API key, and refuses it past the key's limit. Every answer says how much remains, in
 * the fields of draft-ietf-httpapi-ratelimit-headers-10.
 *
 * @param defaultLimit requests a minute of a key without a limit of its own; 0 for no limit
 */
export function limitRate(
  rateLimits: RateLimits,
  defaultLimit: number,
): (request: Request, response: ServerResponse) => void | Promise<void> {
  return (request, response) => {
    const { id, rateLimit } = principalOf(request);
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
