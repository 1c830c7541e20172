import type { Response } from "express";
import { checkConditions } from "./conditions.ts";
import { addHeader } from "./exchange-parts.ts";
import type { HandlerRequest } from "./handler.ts";

type ReadAnswer<Body> = { readonly status: 200; readonly body: Body } | typeof notModified;

/** Express sends no body with it. */
const notModified = { status: 304, body: undefined } as const;

/**
 * Answers a read with an entity tag: with a 304 if the client already has this state (RFC 9110, section 15.4.5), else with the
 * body, which is built only then.
 *
 * @throws AppError `precondition_failed`
 */
export function answerRead<Body>(
  { req, res }: { readonly req: HandlerRequest; readonly res: Response },
  entityTag: string,
  buildBody: () => Body,
): ReadAnswer<Body> {
  const { isNotModified } = checkConditions(req, entityTag);
  addHeader(res, "ETag", entityTag);
  return isNotModified ? notModified : { status: 200, body: buildBody() };
}
