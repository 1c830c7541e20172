import type { NextFunction, Request, Response } from "express";
import { requireScope } from "../auth/require-scope.ts";
import { dropBody, readBody } from "../http/body.ts";
import type { ServedRoute } from "./served-contract.ts";

type RoutedRequest = Request & { readonly tsRestRoute: ServedRoute };

/**
 * Checks the scope and receives the body, before the handler runs. The scope is part of the route's own data, so a new
 * route cannot be without one. The body is also received if the route takes no fields.
 */
export function admit(request: RoutedRequest, response: Response, next: NextFunction): Promise<void> | void {
  const route = request.tsRestRoute;
  requireScope(request, route.metadata.route.scope);
  const received = "contentType" in route ? readBody(request, response) : dropBody(request, response);
  if (received instanceof Promise) return goOn(request, received, next);
  // Almost every request has no body, and need not wait for one.
  request.body = received;
  next();
}

async function goOn(request: Request, received: Promise<unknown>, next: NextFunction): Promise<void> {
  request.body = await received;
  next();
}
