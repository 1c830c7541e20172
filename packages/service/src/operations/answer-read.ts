import { checkConditions } from "../conditions.ts";
import type { VersionedWebsite } from "../storage.ts";
import type { Call } from "./operation.ts";

/**
 * Answers a read with an entity tag: with a 304 if the client already has this state (RFC 9110, section 15.4.5), else with the
 * body, which is built only then.
 *
 * @throws AppError `precondition_failed`
 */
export function answerRead<Body>({ conditions }: Pick<Call, "conditions">, entityTag: string, buildBody: () => Body) {
  const isNotModified = checkConditions(conditions, entityTag);
  const headers = { ETag: entityTag };
  if (isNotModified) return { status: 304, headers, body: undefined } as const;
  return { status: 200, headers, body: buildBody() } as const;
}

/**
 * Returns the strong entity tag of a record (RFC 9110, section 8.8.3). The row version in it rises with every change. The
 * account is part of it, because records of several accounts have the same URL.
 */
export function websiteTag(accountId: number, { website, version }: VersionedWebsite): string {
  return `"${accountId}-${website.id}-${version}"`;
}
