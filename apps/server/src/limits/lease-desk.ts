import type { RateLimiter } from "@siteward/service";
import type { LeaseAnswer, LeaseRequest } from "./lease-messages.ts";

/**
 * Answers the lease requests of workers from the one count of each key. Requests that wait get all that is left. In advance, a
 * worker gets at most its share of half of what remains after that. So what workers hold and do not use shrinks as the limit
 * nears, and is nothing at the end.
 *
 * @param workers how many workers share each key
 */
export function answerLeases(limiter: RateLimiter, workers: number, { asks, returns }: LeaseRequest): LeaseAnswer {
  for (const [keyId, count] of returns) limiter.giveBack(keyId, count);
  return {
    grants: asks.map(([keyId, limit, waiting, expected]) => {
      const needed = limiter.take(keyId, limit, waiting);
      const spare = Math.min(expected, Math.floor(needed.remaining / (2 * workers)));
      if (spare === 0) return [keyId, needed.granted, needed.remaining, needed.dueInMs];
      const advance = limiter.take(keyId, limit, spare);
      return [keyId, needed.granted + advance.granted, advance.remaining, advance.dueInMs];
    }),
  };
}
