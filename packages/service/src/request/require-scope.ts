import type { Scope } from "@siteward/contract";
import { AppError } from "../errors/app-error.ts";

/**
 * Checks that an API key has the scope of a route.
 *
 * @throws AppError `insufficient_scope`
 */
export function requireScope(scopes: readonly Scope[], scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new AppError("insufficient_scope", `This operation needs an API key with the scope ${scope}.`, {
    extension: { required_scope: scope },
    headers: { "WWW-Authenticate": `Bearer realm="siteward", error="insufficient_scope", scope="${scope}"` },
  });
}
