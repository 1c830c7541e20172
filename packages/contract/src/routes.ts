import { type Endpoint, endpoints } from "./endpoints.ts";
import type { ErrorCode } from "./error-codes.ts";

/** What an API key can be allowed to do. A key has all scopes unless it is created with fewer. */
export const scopes = ["websites:read", "websites:write", "account:read"] as const;

/** One permission of an API key. */
export type Scope = (typeof scopes)[number];

/**
 * One operation of the interface as plain data: its endpoint, and what a server enforces before its handler runs.
 * `contract.ts` adds the schemas.
 */
export interface Route extends Endpoint {
  /** The scope that the API key needs. Without it the server returns `insufficient_scope`. */
  readonly scope: Scope;
  /** The errors that this operation can return. The contract declares the status of each. */
  readonly errors: readonly ErrorCode[];
  /** The fields of the body that nothing may store or log as they were sent. */
  readonly secretFields?: readonly string[];
}

/** A body that an operation takes no fields from is received too, up to the same size. */
const everywhere = [
  "malformed_request",
  "unauthenticated",
  "insufficient_scope",
  "rate_limited",
  "body_too_large",
  "internal",
  "unavailable",
] as const satisfies readonly ErrorCode[];

/** The errors of each operation with this method. Every POST takes an idempotency key, and all others take conditions. */
const errorsOfMethods = {
  GET: [...everywhere, "precondition_failed"],
  POST: [...everywhere, "idempotency_in_progress", "idempotency_key_reused", "change_limit_reached"],
  PUT: [...everywhere, "precondition_failed", "change_limit_reached"],
  DELETE: [...everywhere, "precondition_failed", "change_limit_reached"],
} as const satisfies Record<Route["method"], readonly ErrorCode[]>;

const withBody = ["unsupported_media_type", "validation_failed"] as const satisfies readonly ErrorCode[];

/** Every endpoint with its scope and its errors. An endpoint without an entry here does not compile. */
export const routes = {
  websites: {
    list: route(endpoints.websites.list, { scope: "websites:read", errors: ["validation_failed", "cursor_expired"] }),
    get: route(endpoints.websites.get, { scope: "websites:read", errors: ["not_found"] }),
    create: route(endpoints.websites.create, {
      scope: "websites:write",
      secretFields: ["password"],
      errors: [...withBody, "domain_taken", "website_limit_reached"],
    }),
    update: route(endpoints.websites.update, {
      scope: "websites:write",
      secretFields: ["password"],
      errors: [...withBody, "not_found"],
    }),
    delete: route(endpoints.websites.delete, { scope: "websites:write", errors: ["not_found"] }),
  },
  account: {
    get: route(endpoints.account.get, { scope: "account:read", errors: [] }),
  },
} as const satisfies RouteOfEachEndpoint;

type Endpoints = typeof endpoints;

/** One route for each endpoint: an entry that is forgotten, or built from another endpoint, does not compile. */
type RouteOfEachEndpoint = {
  readonly [Resource in keyof Endpoints]: {
    readonly [Name in keyof Endpoints[Resource]]: Route & Endpoints[Resource][Name];
  };
};

type ErrorsOfMethod<Method extends Route["method"]> = (typeof errorsOfMethods)[Method][number];

/** Returns the route of an endpoint, with the errors of its method in addition to its own. */
function route<const Called extends Endpoint, const Own extends Omit<Route, keyof Endpoint>>(
  endpoint: Called,
  own: Own,
): Called &
  Omit<Own, "errors"> & { readonly errors: readonly (ErrorsOfMethod<Called["method"]> | Own["errors"][number])[] } {
  const errorsOfMethod: readonly ErrorsOfMethod<Called["method"]>[] = errorsOfMethods[endpoint.method];
  return { ...endpoint, ...own, errors: [...errorsOfMethod, ...own.errors] };
}
