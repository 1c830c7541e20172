import type { IncomingMessage } from "node:http";
import type { Scope } from "@siteward/contract";
import { AppError } from "../errors/app-error.ts";
import { principalOf } from "./principal.ts";

/** Refuses a request whose key lacks the scope of the route. */
export function requireScope(request: IncomingMessage, scope: Scope): void {
  if (principalOf(request).scopes.includes(scope)) return;
  throw new AppError("insufficient_scope", `This operation needs an API key with the scope ${scope}.`, {
    extension: { required_scope: scope },
    headers: { "WWW-Authenticate": `Bearer realm="siteward", error="insufficient_scope", scope="${scope}"` },
  });
}
