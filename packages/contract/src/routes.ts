import type { ErrorCode } from "./error-codes.ts";

/** What an API key can be allowed to do. A key has all scopes unless it is created with fewer. */
export const scopes = ["websites:read", "websites:write", "account:read"] as const;

/** One permission of an API key. */
export type Scope = (typeof scopes)[number];

/**
 * One operation of the interface as plain data: what a client needs to call it, and what a server enforces before its handler
 * runs. `contract.ts` adds the schemas.
 */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: `/api/v1/${string}`;
  /** The scope that the API key needs. Without it the server returns `insufficient_scope`. */
  readonly scope: Scope;
  /** The errors that this operation can return. The contract declares the status of each. */
  readonly errors: readonly ErrorCode[];
}

const everywhere = [
  "malformed_request",
  "unauthenticated",
  "insufficient_scope",
  "internal",
  "unavailable",
] as const satisfies readonly ErrorCode[];

const withBody = [
  "body_too_large",
  "unsupported_media_type",
  "validation_failed",
] as const satisfies readonly ErrorCode[];

/** The six operations (docs/interface.md, section 4), by resource and name. */
export const routes = {
  websites: {
    list: {
      method: "GET",
      path: "/api/v1/websites",
      scope: "websites:read",
      errors: [...everywhere, "validation_failed"],
    },
    get: {
      method: "GET",
      path: "/api/v1/websites/:id",
      scope: "websites:read",
      errors: [...everywhere, "not_found"],
    },
    create: {
      method: "POST",
      path: "/api/v1/websites",
      scope: "websites:write",
      errors: [...everywhere, ...withBody, "domain_taken", "website_limit_reached"],
    },
    update: {
      method: "PUT",
      path: "/api/v1/websites/:id",
      scope: "websites:write",
      errors: [...everywhere, ...withBody, "not_found"],
    },
    delete: {
      method: "DELETE",
      path: "/api/v1/websites/:id",
      scope: "websites:write",
      errors: [...everywhere, "not_found"],
    },
  },
  account: {
    get: {
      method: "GET",
      path: "/api/v1/account",
      scope: "account:read",
      errors: everywhere,
    },
  },
} as const satisfies Record<string, Record<string, Route>>;
