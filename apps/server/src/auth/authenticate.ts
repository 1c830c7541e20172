import type { IncomingMessage } from "node:http";
import type { ApiKeyCache } from "./api-key-cache.ts";
import { type Principal, setPrincipal } from "./principal.ts";
import { readSentApiKey } from "./sent-api-key.ts";
import { unauthenticated } from "./unauthenticated.ts";

/**
 * Accepts only requests with a valid API key, before anything else of the request is checked (docs/interface.md, section 5).
 * Unknown and revoked keys get the same answer.
 */
export function authenticate(apiKeys: ApiKeyCache): (request: IncomingMessage) => void | Promise<void> {
  return (request) => {
    const admit = (principal: Principal | undefined): void => {
      if (principal === undefined) {
        throw unauthenticated(
          "The API key is mistyped, unknown, revoked or expired. Send a valid API key.",
          ', error="invalid_token"',
        );
      }
      setPrincipal(request, principal);
    };
    const found = apiKeys.find(readSentApiKey(request));
    return found instanceof Promise ? found.then(admit) : admit(found);
  };
}
