import {
  type AppError,
  type Grant,
  type RateLimits,
  rateLimited,
  rateLimitHeaders,
  toSeconds,
} from "@siteward/service";
import type { Step } from "./run-steps.ts";

/**
 * Counts each request with a valid API key, and refuses it past the key's limit. Every answer says how much remains.
 *
 * @param defaultLimit requests a minute of a key without a limit of its own; 0 for no limit
 */
export function limitRate(rateLimits: RateLimits, defaultLimit: number): Step {
  const refuse = prepareRefusal();
  return ({ principal, headers }) => {
    const limit = principal.rateLimit ?? defaultLimit;
    if (limit === 0) return;
    const judge = (grant: Grant): void => {
      for (const [name, value] of rateLimitHeaders(limit, grant)) headers.push(name, value);
      if (grant.granted === 0) throw refuse(limit, grant);
    };
    const taken = rateLimits.take(principal.id, limit);
    return taken instanceof Promise ? taken.then(judge) : judge(taken);
  };
}

/**
 * Keeps the last refusal of each limit, of which there are as many as the operator has set. An error notes where it was created,
 * which takes 10 µs, so a flood past a limit cost more than the answers that it was refused.
 */
function prepareRefusal(): typeof rateLimited {
  const last = new Map<number, { readonly dueInSeconds: number; readonly refusal: AppError }>();
  return (limit, grant) => {
    const dueInSeconds = toSeconds(grant);
    const known = last.get(limit);
    if (known?.dueInSeconds === dueInSeconds) return known.refusal;
    const refusal = rateLimited(limit, grant);
    last.set(limit, { dueInSeconds, refusal });
    return refusal;
  };
}
