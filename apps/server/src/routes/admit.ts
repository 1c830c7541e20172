import type { ServedRoute } from "@siteward/service";
import { requireScope } from "@siteward/service";
import type { NextFunction, Request, Response } from "express";
import { dropBody, readBody } from "../door/http/body.ts";
import { noteConditions } from "./conditions.ts";
import { principalOf } from "./exchange-parts.ts";
import { IdempotentRequests } from "./idempotent-requests.ts";

type RoutedRequest = Request & { readonly tsRestRoute: ServedRoute };
type Admit = (request: RoutedRequest, response: Response, next: NextFunction) => Promise<void> | void;

/**
 * Returns a handler that checks the scope, notes the conditions, receives the body and notes the idempotency key, before the
 * route's own handler runs. All of it follows from the route's own data, so a new route cannot be without it. The body is also
 * received if the route takes no fields.
 */
export function createAdmit(): Admit {
  const idempotentRequests = new IdempotentRequests();
  return (request, response, next) => {
    const contractRoute = request.tsRestRoute;
    const { route } = contractRoute.metadata;
    requireScope(principalOf(request).scopes, route.scope);
    noteConditions(request, route);
    const goOn = (body: unknown): void => {
      request.body = body;
      if (route.method === "POST") idempotentRequests.begin(request, response, route);
      next();
    };
    const received = "contentType" in contractRoute ? readBody(request, response) : dropBody(request, response);
    // Almost every request has no body, and need not wait for one.
    return received instanceof Promise ? received.then(goOn) : goOn(received);
  };
}
