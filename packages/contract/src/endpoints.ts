/** The method and the path of one operation: what a client needs to call it. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: `/api/v1/${string}`;
}

/** The six operations (docs/interface.md, section 4), by resource and name. `routes.ts` adds what a server enforces. */
export const endpoints = {
  websites: {
    list: { method: "GET", path: "/api/v1/websites" },
    get: { method: "GET", path: "/api/v1/websites/:id" },
    create: { method: "POST", path: "/api/v1/websites" },
    update: { method: "PUT", path: "/api/v1/websites/:id" },
    delete: { method: "DELETE", path: "/api/v1/websites/:id" },
  },
  account: {
    get: { method: "GET", path: "/api/v1/account" },
  },
} as const satisfies Record<string, Record<string, Endpoint>>;
