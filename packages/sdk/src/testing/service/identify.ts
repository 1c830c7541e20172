import { rateLimited, rateLimitHeaders, readBearerToken } from "@siteward/service";
import type { StoredApiKey } from "../state/api-keys.ts";
import type { FakeState } from "../state/fake-state.ts";

/**
 * Finds the API key of a request, and counts the request for its limit.
 *
 * @param headers the headers of the answer, to which those of the limit are added
 * @throws AppError `unauthenticated` or `rate_limited`
 */
export function identify(
  { apiKeys, clock, rateLimiter, rateLimit }: FakeState,
  sent: Headers,
  headers: Record<string, string>,
): StoredApiKey {
  const now = clock.now();
  const apiKey = apiKeys.find(readBearerToken(sent.get("Authorization") ?? undefined), now);
  const limit = apiKey.rateLimit ?? rateLimit;
  if (limit === 0) return apiKey;
  const grant = rateLimiter.take(apiKey.id, limit);
  for (const [name, value] of rateLimitHeaders(limit, grant)) headers[name] = value;
  if (grant.granted === 0) throw rateLimited(limit, grant);
  return apiKey;
}
