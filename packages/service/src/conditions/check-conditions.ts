import { AppError } from "../errors/app-error.ts";
import { type Conditions, isWeak, judgeConditions } from "./judge-conditions.ts";

/**
 * Checks the conditions of a request by the current entity tag. This comes after every other check, because a request that
 * is refused anyway gets that answer (RFC 9110, section 13.2.1).
 *
 * @param conditions undefined if the request has none
 * @returns whether the client that reads has the current state already
 * @throws AppError `precondition_failed`
 */
export function checkConditions(
  conditions: Conditions | undefined,
  current: string,
): { readonly isNotModified: boolean } {
  if (conditions === undefined) return modified;
  const verdict = judgeConditions(conditions, current);
  switch (verdict) {
    case "go on":
      return modified;
    case "not modified":
      return { isNotModified: true };
    case "If-Match failed":
      throw preconditionFailed(current, describeMismatch(conditions, current));
    case "If-None-Match failed":
      throw preconditionFailed(
        current,
        `The record has the entity tag ${current}, which If-None-Match excludes. ` +
          "Remove If-None-Match to change the record.",
      );
  }
}

const modified = { isNotModified: false } as const;

function preconditionFailed(current: string, detail: string): AppError {
  return new AppError("precondition_failed", detail, { facts: { entityTag: current } });
}

/** A proxy that compresses answers makes their entity tags weak. Then to read the record again does not help. */
function describeMismatch({ ifMatch }: Conditions, current: string): string {
  if (isWeak(current)) {
    return `The entity tag ${current} is weak, and If-Match never matches a weak one. Send If-None-Match instead.`;
  }
  if (ifMatch?.includes(`W/${current}`)) {
    return `If-Match never matches a weak entity tag. The record has not changed: send ${current} without W/.`;
  }
  return (
    `The record has changed: its entity tag is ${current}. ` +
    "Read it again, then retry the request with this entity tag in If-Match."
  );
}
