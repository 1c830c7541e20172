import { AppError } from "../errors/app-error.ts";
import { validationFailed } from "../errors/refusals.ts";
import { decodeChangesCursor } from "./changes-cursor.ts";
import type { ListQuery } from "./read-list-request.ts";
import type { ChangePosition, WebsiteChangesRequest } from "./website-changes.ts";

/** The changes that a request asks for. */
interface RequestedChanges extends WebsiteChangesRequest {
  /** Where the changes begin. Those of a page after the first begin later. */
  readonly first: ChangePosition;
}

/**
 * Returns which changes a query asks for.
 *
 * @throws AppError `validation_failed` if a cursor is not valid, or `cursor_expired` if it belongs to another account
 */
export function readChangesRequest(query: ListQuery, changedSince: string, accountId: number): RequestedChanges {
  const first = readPosition("changed_since", changedSince, accountId);
  const since = query.cursor === undefined ? first : readPosition("cursor", query.cursor, accountId);
  return { first, since, perPage: query.per_page };
}

/** The cursors of a page of changes, which are the only valid ones for the next. */
const sources = { changed_since: "meta.changes_cursor", cursor: "meta.next_cursor" } as const;

function readPosition(name: keyof typeof sources, cursor: string, accountId: number): ChangePosition {
  const found = decodeChangesCursor(cursor);
  if (found === undefined) {
    const page = name === "cursor" ? "an earlier page of these changes" : "an earlier page";
    throw validationFailed({ [name]: [`is not a valid cursor; send ${sources[name]} of ${page}, unchanged`] });
  }
  // It says nothing about the changes of this account, so what its client has read is to be replaced, too.
  if (found.accountId !== accountId) throw cursorExpired();
  return found.position;
}

/** Returns the refusal of a cursor whose changes are not all known. */
export function cursorExpired(): AppError {
  return new AppError(
    "cursor_expired",
    "Some of the changes since this cursor are no longer available. " +
      "Read all websites again, then continue with meta.changes_cursor of the first page.",
  );
}
