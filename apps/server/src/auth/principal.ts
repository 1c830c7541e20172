import type { IncomingMessage } from "node:http";
import type { StoredApiKey } from "../storage/interface/storage.ts";

/** Who a request acts for: a valid API key, and through it one account. */
export type Principal = StoredApiKey;

const principalKey = Symbol("principal");

declare module "node:http" {
  interface IncomingMessage {
    [principalKey]?: Principal;
  }
}

/** Stores who makes the request. */
export function setPrincipal(request: IncomingMessage, principal: Principal): void {
  request[principalKey] = principal;
}

/** Returns who makes the request. Every route of the interface requires authentication, so there is always one. */
export function principalOf(request: IncomingMessage): Principal {
  const principal = request[principalKey];
  if (principal === undefined) throw new Error("This request was routed without authentication.");
  return principal;
}
