import type { IncomingMessage } from "node:http";
import type { StoredApiKey } from "../storage/storage.ts";

/** On whose behalf a request acts: an API key that is in force, and through it one account. */
export type Principal = StoredApiKey;

const principalKey = Symbol("principal");

declare module "node:http" {
  interface IncomingMessage {
    [principalKey]?: Principal;
  }
}

/** Notes who makes the request. */
export function setPrincipal(request: IncomingMessage, principal: Principal): void {
  request[principalKey] = principal;
}

/** Tells who makes the request. Every route of the interface stands behind authentication, so there is always one. */
export function principalOf(request: IncomingMessage): Principal {
  const principal = request[principalKey];
  if (principal === undefined) throw new Error("This request was routed without authentication.");
  return principal;
}
