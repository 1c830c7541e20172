/** What an API key can be allowed to do. A key has all scopes unless it is created with fewer. */
export const scopes = ["websites:read", "websites:write", "account:read"] as const;

/** One permission of an API key. */
export type Scope = (typeof scopes)[number];

/** One operation of the interface as plain data: what a client calls, and which scope a server wants for it. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: `/api/v1/${string}`;
  /** The scope that the API key needs. Without it the server returns `insufficient_scope`. */
  readonly scope: Scope;
}

/** The six operations (docs/interface.md, section 4), by resource and name. */
export const routes = {
  websites: {
    list: { method: "GET", path: "/api/v1/websites", scope: "websites:read" },
    get: { method: "GET", path: "/api/v1/websites/:id", scope: "websites:read" },
    create: { method: "POST", path: "/api/v1/websites", scope: "websites:write" },
    update: { method: "PUT", path: "/api/v1/websites/:id", scope: "websites:write" },
    delete: { method: "DELETE", path: "/api/v1/websites/:id", scope: "websites:write" },
  },
  account: {
    get: { method: "GET", path: "/api/v1/account", scope: "account:read" },
  },
} as const satisfies Record<string, Record<string, Route>>;
