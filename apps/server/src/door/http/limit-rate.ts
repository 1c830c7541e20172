import { type Grant, type RateLimits, rateLimited, rateLimitHeaders } from "@siteward/service";
import type { Step } from "./run-steps.ts";

/**
 * Counts each request with a valid API key, and refuses it past the key's limit. Every answer says how much remains.
 *
 * @param defaultLimit requests a minute of a key without a limit of its own; 0 for no limit
 */
export function limitRate(rateLimits: RateLimits, defaultLimit: number): Step {
  return ({ principal, headers }) => {
    const limit = principal.rateLimit ?? defaultLimit;
    if (limit === 0) return;
    const judge = (grant: Grant): void => {
      for (const [name, value] of rateLimitHeaders(limit, grant)) headers.push(name, value);
      if (grant.granted === 0) throw rateLimited(limit, grant);
    };
    const taken = rateLimits.take(principal.id, limit);
    return taken instanceof Promise ? taken.then(judge) : judge(taken);
  };
}
