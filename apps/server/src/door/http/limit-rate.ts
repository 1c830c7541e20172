import { type Grant, type RateLimits, rateLimited, rateLimitHeaders } from "@siteward/service";
import type { Request } from "express";
import type { Step } from "./run-steps.ts";
import { addHeader } from "./send.ts";

interface LimitRateOptions {
  /** Requests a minute of a key without a limit of its own; 0 for no limit. */
  readonly defaultLimit: number;
  /** Returns the valid API key of a request. */
  readonly keyOf: (request: Request) => { readonly id: number; readonly rateLimit: number | null };
}

/**
 * Counts each request with a valid API key, and refuses it past the key's limit. Every answer says how much remains.
 */
export function limitRate(rateLimits: RateLimits, { defaultLimit, keyOf }: LimitRateOptions): Step {
  return (request, response) => {
    const { id, rateLimit } = keyOf(request);
    const limit = rateLimit ?? defaultLimit;
    if (limit === 0) return;
    const judge = (grant: Grant): void => {
      for (const [name, value] of rateLimitHeaders(limit, grant)) addHeader(response, name, value);
      if (grant.granted === 0) throw rateLimited(limit, grant);
    };
    const taken = rateLimits.take(id, limit);
    return taken instanceof Promise ? taken.then(judge) : judge(taken);
  };
}
