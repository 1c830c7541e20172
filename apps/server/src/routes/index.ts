import type { AppRoute } from "@ts-rest/core";
import type { Express } from "express";
import type { Dependencies } from "../dependencies.ts";
import { methodNotAllowed } from "../http/method-not-allowed.ts";
import { createWebsite } from "./create-website.ts";
import { deleteWebsite } from "./delete-website.ts";
import { type AnyHandler, endpoint } from "./endpoint.ts";
import { getAccount } from "./get-account.ts";
import { getWebsite } from "./get-website.ts";
import type { Handler } from "./handler.ts";
import { listWebsites } from "./list-websites.ts";
import { type ServedContract, type ServedRoute, servedContract } from "./served-contract.ts";
import { updateWebsite } from "./update-website.ts";

/** Mounts a handler for every route of the contract. If a route has no handler, this does not compile. */
export function mountRoutes(app: Express, dependencies: Dependencies): void {
  const handlers: Handlers = {
    websites: {
      list: listWebsites(dependencies),
      get: getWebsite(dependencies),
      create: createWebsite(dependencies),
      update: updateWebsite(dependencies),
      delete: deleteWebsite(dependencies),
    },
    account: { get: getAccount(dependencies) },
  };
  for (const [path, served] of servedByPath(handlers)) {
    const mounted = app.route(toPattern(path));
    for (const { route, handler } of served) {
      mounted[expressMethods[route.method]](endpoint(route, handler, dependencies.config));
    }
    mounted.all(methodNotAllowed(served.map(({ route }) => route.method)));
  }
}

type Handlers = {
  readonly [Resource in keyof ServedContract]: {
    readonly [Name in keyof ServedContract[Resource]]: Handler<Extract<ServedContract[Resource][Name], AppRoute>>;
  };
};

const expressMethods = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;

interface Served {
  readonly route: ServedRoute;
  readonly handler: AnyHandler;
}

/**
 * Returns the pattern that Express would create for a path, such as `/api/v1/websites/:id`. If Express creates it, the
 * parameters are in an object without a prototype, which took 2 µs more per request: the engine keeps it as a hash table.
 */
function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}/?$`);
}

/** Express compares a request with one path after another, so each path is mounted once, with all its methods. */
function servedByPath(handlers: Handlers): Map<string, Served[]> {
  const byPath = new Map<string, Served[]>();
  for (const { route, handler } of served(handlers)) {
    byPath.set(route.path, [...(byPath.get(route.path) ?? []), { route, handler }]);
  }
  return byPath;
}

function served(handlers: Handlers): Served[] {
  // The type of the handlers says that each belongs to the route of the same name. A list cannot say that.
  const untyped = handlers as unknown as Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>;
  return Object.entries(servedContract).flatMap(([resource, routes]) =>
    Object.entries<ServedRoute>(routes).flatMap(([name, route]) => {
      const handler = untyped[resource]?.[name];
      return handler === undefined ? [] : [{ route, handler }];
    }),
  );
}
