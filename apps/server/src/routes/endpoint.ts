import { validateResponse } from "@ts-rest/core";
import type { Request, RequestHandler, Response } from "express";
import { requireScope } from "../auth/require-scope.ts";
import { dropBody, readBody } from "../http/body.ts";
import { send, sendJson } from "../http/send.ts";
import type { ServedRoute } from "./served-contract.ts";
import { createValidator, type ValidatedParts } from "./validator.ts";

/** A handler whose route is not known to the compiler. */
export type AnyHandler = (
  input: ValidatedParts & { readonly req: Request; readonly res: Response },
) => Promise<{ readonly status: number; readonly body: unknown }>;

/**
 * Serves a route of the contract: checks the scope, receives the body, validates the parts of the request, calls the
 * handler and sends what it returns. The scope is part of the route's own data, so a new route cannot be without one.
 *
 * `@ts-rest/express` does the same in three layers of Express, and copies the headers and every validated part.
 */
export function endpoint(
  route: ServedRoute,
  handler: AnyHandler,
  { validateResponses }: { readonly validateResponses: boolean },
): RequestHandler {
  const { scope } = route.metadata.route;
  // The body is also received if the route takes no fields.
  const receiveBody = "contentType" in route ? readBody : dropBody;
  const validate = createValidator(route);
  return async (req, res) => {
    requireScope(req, scope);
    const received = receiveBody(req, res);
    // Almost every request has no body, and need not wait for one.
    const { params, query, body } = validate(req, received instanceof Promise ? await received : received);
    const answer = await handler({ params, query, body, req, res });
    if (validateResponses) validateResponse({ appRoute: route, response: answer });
    if (answer.body === undefined) send(res, { status: answer.status });
    else sendJson(res, answer.status, answer.body);
  };
}
