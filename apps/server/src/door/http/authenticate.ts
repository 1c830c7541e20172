import { invalidApiKey } from "@siteward/service";
import type { ApiKeyCache } from "../../auth/api-key-cache.ts";
import type { FailedAuthentications } from "../../auth/failed-authentications.ts";
import { readSentApiKey } from "../../auth/sent-api-key.ts";
import type { Principal } from "../admission/exchange.ts";
import type { Step } from "./run-steps.ts";

/**
 * Accepts only requests with a valid API key, before anything else of the request is checked (docs/interface.md, section 5).
 * Unknown and revoked keys get the same answer. A key that this process knows as valid is not refused because its network
 * sends invalid keys: many clients can share an address.
 */
export function authenticate(apiKeys: ApiKeyCache, failures: FailedAuthentications): Step {
  return (exchange) => {
    const { request } = exchange;
    const admit = (principal: Principal | undefined): void => {
      if (principal === undefined) throw invalidApiKey();
      exchange.principal = principal;
    };
    const sent = readSentApiKey(request);
    if (!apiKeys.knows(sent)) return failures.limit(request, async () => apiKeys.find(sent)).then(admit);
    const found = apiKeys.find(sent);
    return found instanceof Promise ? found.then(admit) : admit(found);
  };
}
