import { routes } from "@siteward/contract";
import { createExpressEndpoints, initServer, type RequestValidationError } from "@ts-rest/express";
import type { Express, NextFunction, Request, RequestHandler, Response } from "express";
import { requireScope } from "../auth/require-scope.ts";
import type { Dependencies } from "../dependencies.ts";
import { validationFailed, websiteNotFound } from "../errors/app-error.ts";
import { collectFieldErrors, type ValidationIssue } from "../errors/collect-field-errors.ts";
import { dropBody, readBody } from "../http/body.ts";
import { methodNotAllowed } from "../http/method-not-allowed.ts";
import { createWebsite } from "./create-website.ts";
import { deleteWebsite } from "./delete-website.ts";
import { getAccount } from "./get-account.ts";
import { getWebsite } from "./get-website.ts";
import { listWebsites } from "./list-websites.ts";
import { type ServedContract, servedContract } from "./served-contract.ts";
import { updateWebsite } from "./update-website.ts";

/** Mounts a handler for every route of the contract. If a route has no handler, this does not compile. */
export function mountRoutes(app: Express, dependencies: Dependencies): void {
  const router = initServer().router(servedContract, {
    websites: {
      list: listWebsites(dependencies),
      get: getWebsite(dependencies),
      create: createWebsite(dependencies),
      update: updateWebsite(dependencies),
      delete: deleteWebsite(dependencies),
    },
    account: { get: getAccount(dependencies) },
  });
  createExpressEndpoints(servedContract, router, app, {
    logInitialization: false,
    responseValidation: dependencies.config.validateResponses,
    globalMiddleware: [admit],
    requestValidationErrorHandler: refuseInvalid,
  });
  for (const [path, methods] of methodsByPath()) app.all(path, methodNotAllowed(methods));
}

type AnyRoute = {
  [Resource in keyof ServedContract]: ServedContract[Resource][keyof ServedContract[Resource]];
}[keyof ServedContract];
type RoutedRequest = Pick<Request, "headers" | "method"> & { readonly tsRestRoute: AnyRoute };

/**
 * Checks the scope and receives the body, before the handler runs. The scope is part of the route's own data, so a new
 * route cannot be without one. The body is also received if the route takes no fields.
 */
function admit(request: Request & RoutedRequest, response: Response, next: NextFunction): ReturnType<RequestHandler> {
  const route = request.tsRestRoute;
  requireScope(request, route.metadata.route.scope);
  return "contentType" in route ? readBody(request, response, next) : dropBody(request, response, next);
}

/**
 * Refuses a request that the schemas refuse. An ID that is not valid gets the same response as an ID that was never used.
 * Every other fault is named with its field.
 */
function refuseInvalid(error: RequestValidationError, _request: unknown, _response: unknown, next: NextFunction): void {
  if (error.pathParams !== null) {
    next(websiteNotFound());
    return;
  }
  // Zod's own issues have `keys`, which the Standard Schema type does not mention.
  const issues = [error.query, error.body].flatMap((part) => (part?.issues ?? []) as ValidationIssue[]);
  next(validationFailed(collectFieldErrors(issues)));
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of Object.values(routes).flatMap((resource) => Object.values(resource))) {
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  return methods;
}
