import type { IncomingMessage } from "node:http";
import { invalidApiKey } from "@siteward/service";
import type { ApiKeyCache } from "./api-key-cache.ts";
import type { AddressedRequest } from "./client-network.ts";
import type { FailedAuthentications } from "./failed-authentications.ts";
import { type Principal, setPrincipal } from "./principal.ts";
import { readSentApiKey } from "./sent-api-key.ts";

/**
 * Accepts only requests with a valid API key, before anything else of the request is checked (docs/interface.md, section 5).
 * Unknown and revoked keys get the same answer. A key that this process knows as valid is not refused because its network
 * sends invalid keys: many clients can share an address.
 */
export function authenticate(
  apiKeys: ApiKeyCache,
  failures: FailedAuthentications,
): (request: IncomingMessage & AddressedRequest) => void | Promise<void> {
  return (request) => {
    const admit = (principal: Principal | undefined): void => {
      if (principal === undefined) throw invalidApiKey();
      setPrincipal(request, principal);
    };
    const sent = readSentApiKey(request);
    if (!apiKeys.knows(sent)) return failures.limit(request, async () => apiKeys.find(sent)).then(admit);
    const found = apiKeys.find(sent);
    return found instanceof Promise ? found.then(admit) : admit(found);
  };
}
