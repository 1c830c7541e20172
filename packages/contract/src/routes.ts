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
  /** The fields of the body that nothing may store or log as they were sent. */
  readonly secretFields?: readonly string[];
}

const everywhere = [
  "malformed_request",
  "unauthenticated",
  "insufficient_scope",
  "rate_limited",
  "internal",
  "unavailable",
] as const satisfies readonly ErrorCode[];

/** The errors of each operation with this method. Every POST takes an idempotency key, and all others take conditions. */
const errorsOfMethods = {
  GET: [...everywhere, "precondition_failed"],
  POST: [...everywhere, "idempotency_in_progress", "idempotency_key_reused"],
  PUT: [...everywhere, "precondition_failed"],
  DELETE: [...everywhere, "precondition_failed"],
} as const satisfies Record<Route["method"], readonly ErrorCode[]>;

const withBody = [
  "body_too_large",
  "unsupported_media_type",
  "validation_failed",
] as const satisfies readonly ErrorCode[];

/** The six operations (docs/interface.md, section 4), by resource and name. */
export const routes = {
  websites: {
    list: route({
      method: "GET",
      path: "/api/v1/websites",
      scope: "websites:read",
      errors: ["validation_failed"],
    }),
    get: route({
      method: "GET",
      path: "/api/v1/websites/:id",
      scope: "websites:read",
      errors: ["not_found"],
    }),
    create: route({
      method: "POST",
      path: "/api/v1/websites",
      scope: "websites:write",
      secretFields: ["password"],
      errors: [...withBody, "domain_taken", "website_limit_reached"],
    }),
    update: route({
      method: "PUT",
      path: "/api/v1/websites/:id",
      scope: "websites:write",
      secretFields: ["password"],
      errors: [...withBody, "not_found"],
    }),
    delete: route({
      method: "DELETE",
      path: "/api/v1/websites/:id",
      scope: "websites:write",
      errors: ["not_found"],
    }),
  },
  account: {
    get: route({
      method: "GET",
      path: "/api/v1/account",
      scope: "account:read",
      errors: [],
    }),
  },
} as const satisfies Record<string, Record<string, Route>>;

type ErrorsOfMethod<Method extends Route["method"]> = (typeof errorsOfMethods)[Method][number];

/** Returns the route with the errors of its method in addition to its own. */
function route<const Own extends Route>(
  own: Own,
): Omit<Own, "errors"> & { readonly errors: readonly (ErrorsOfMethod<Own["method"]> | Own["errors"][number])[] } {
  const errorsOfMethod: readonly ErrorsOfMethod<Own["method"]>[] = errorsOfMethods[own.method];
  return { ...own, errors: [...errorsOfMethod, ...own.errors] };
}
