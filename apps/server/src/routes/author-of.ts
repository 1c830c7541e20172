import type { IncomingMessage } from "node:http";
import type { ChangeAuthor } from "@siteward/service";
import { principalOf, requestIdOf } from "./exchange-parts.ts";

/** Returns who makes the changes of a request, for the audit trail. */
export function authorOf(request: IncomingMessage): ChangeAuthor {
  return { apiKey: principalOf(request).prefix, operator: null, requestId: requestIdOf(request) };
}
