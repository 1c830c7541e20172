import type { IncomingMessage } from "node:http";
import { invalidApiKey } from "@siteward/service";
import type { ApiKeyCache } from "../../auth/api-key-cache.ts";
import type { FailedAuthentications } from "../../auth/failed-authentications.ts";
import { readSentApiKey } from "../../auth/sent-api-key.ts";
import type { Principal } from "../admission/exchange.ts";
import { refuseOverload } from "../admission/refuse-overload.ts";
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
      // A request whose key this process did not know has counted as one without a key so far.
      exchange.progress.identify(principal.id);
      refuseOverload(exchange);
    };
    const sent = readSentApiKey(request);
    if (apiKeys.idOf(sent) === undefined) return failures.limit(request, async () => apiKeys.find(sent)).then(admit);
    const found = apiKeys.find(sent);
    return found instanceof Promise ? found.then(admit) : admit(found);
  };
}

/** Returns the ID of the API key that a request sends, if this process knows the key as valid. */
export function readKnownKeyId(apiKeys: ApiKeyCache, request: IncomingMessage): number | undefined {
  if (request.headers.authorization === undefined) return undefined;
  try {
    return apiKeys.idOf(readSentApiKey(request));
  } catch {
    // The header is not valid. `authenticate` refuses it.
    return undefined;
  }
}
