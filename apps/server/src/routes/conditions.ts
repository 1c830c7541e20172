import type { IncomingMessage } from "node:http";
import type { Route } from "@siteward/contract";
import { type Conditions, checkConditions as checkByTag, readConditions } from "@siteward/service";

const conditionsKey = Symbol("conditions");

declare module "node:http" {
  interface IncomingMessage {
    [conditionsKey]?: Conditions;
  }
}

/**
 * Notes the conditions of a request for its handler.
 *
 * @throws AppError `malformed_request` if they are not valid
 */
export function noteConditions(request: IncomingMessage, { method }: Route): void {
  const conditions = readConditions(request.headers, method);
  if (conditions !== undefined) request[conditionsKey] = conditions;
}

/**
 * Checks the conditions of a request by the current entity tag. This comes after every other check, because a request that
 * is refused anyway gets that answer (RFC 9110, section 13.2.1).
 *
 * @returns whether the client that reads has the current state already
 * @throws AppError `precondition_failed`
 */
export function checkConditions(request: IncomingMessage, current: string): { readonly isNotModified: boolean } {
  return checkByTag(request[conditionsKey], current);
}
