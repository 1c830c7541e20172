import { checkConditions } from "../conditions/check-conditions.ts";
import type { Call } from "./operation.ts";

type ReadAnswer<Body> = {
  readonly headers: { readonly ETag: string };
} & ({ readonly status: 200; readonly body: Body } | { readonly status: 304; readonly body: undefined });

/**
 * Answers a read with an entity tag: with a 304 if the client already has this state (RFC 9110, section 15.4.5), else with the
 * body, which is built only then.
 *
 * @throws AppError `precondition_failed`
 */
export function answerRead<Body>(
  { conditions }: Pick<Call, "conditions">,
  entityTag: string,
  buildBody: () => Body,
): ReadAnswer<Body> {
  const { isNotModified } = checkConditions(conditions, entityTag);
  const headers = { ETag: entityTag };
  return isNotModified ? { status: 304, headers, body: undefined } : { status: 200, headers, body: buildBody() };
}
