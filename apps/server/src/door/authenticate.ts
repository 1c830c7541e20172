import {
  type Grant,
  invalidApiKey,
  type RateLimits,
  rateLimited,
  rateLimitHeaders,
  readBearerToken,
} from "@siteward/service";
import type { ApiKeyCache } from "../auth/api-key-cache.ts";
import type { LimitInvalidKeys } from "../auth/invalid-keys.ts";
import type { StoredApiKey } from "../storage/interface/storage.ts";
import type { Step } from "./run-steps.ts";

/**
 * Accepts only requests with a valid API key, before anything else of the request is checked (docs/interface.md,
 * section 5). Unknown and revoked keys get the same answer. A key that this process knows as valid is not refused
 * because its network sends invalid keys: many clients can share an address.
 */
export function authenticate(apiKeys: ApiKeyCache, limitInvalidKeys: LimitInvalidKeys): Step {
  return (exchange) => {
    const { request, answerHeaders } = exchange;
    // Responses contain an account's data and depend on the key, so no cache may store them (RFC 9111, section 5.2.2.5).
    answerHeaders.push("Cache-Control", "no-store");
    const admit = (principal: StoredApiKey | undefined): void => {
      if (principal === undefined) throw invalidApiKey;
      exchange.authenticate(principal);
    };
    const text = readBearerToken(request.headers.authorization);
    const found = apiKeys.find(text, (read) => limitInvalidKeys(request, read));
    return found instanceof Promise ? found.then(admit) : admit(found);
  };
}

/**
 * Counts each request with a valid API key, and refuses it past the key's limit. Every answer says how much remains.
 *
 * @param defaultLimit requests a minute of a key without a limit of its own; 0 for no limit
 */
export function limitRate(rateLimits: RateLimits, defaultLimit: number): Step {
  return ({ principal, answerHeaders }) => {
    const limit = principal.rateLimit ?? defaultLimit;
    if (limit === 0) return;
    const judge = (grant: Grant): void => {
      for (const [name, value] of rateLimitHeaders(limit, grant)) answerHeaders.push(name, value);
      if (grant.granted === 0) throw rateLimited(limit, grant);
    };
    const taken = rateLimits.take(principal.id, limit);
    return taken instanceof Promise ? taken.then(judge) : judge(taken);
  };
}
