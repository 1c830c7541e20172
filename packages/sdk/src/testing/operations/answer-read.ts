import { type Conditions, checkConditions } from "@siteward/service";
import type { OperationAnswer } from "./operation.ts";

/**
 * Answers a read with an entity tag: with a 304 if the client already has this state.
 *
 * @throws AppError `precondition_failed`
 */
export function answerRead(
  conditions: Conditions | undefined,
  entityTag: string,
  body: () => unknown,
): OperationAnswer {
  const { isNotModified } = checkConditions(conditions, entityTag);
  const headers = { ETag: entityTag };
  return isNotModified ? { status: 304, headers } : { status: 200, headers, body: body() };
}
