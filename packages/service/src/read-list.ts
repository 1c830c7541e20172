import { defaultOrder, type listWebsitesQuery } from "@siteward/contract";
import { AppError } from "./app-error.ts";
import { decodeChangesCursor, decodeListCursor, type ListOrder } from "./cursors.ts";
import { validationFailed } from "./refusals.ts";
import type { ChangePosition, WebsiteChangesRequest, WebsiteListRequest } from "./storage.ts";

/** The validated query of a list, with its defaults. */
type ListQuery = ReturnType<typeof listWebsitesQuery.parse>;

/**
 * Returns what a query says about the list to read.
 *
 * @throws AppError `validation_failed` if its cursor is not valid
 */
export function readListRequest(query: ListQuery): WebsiteListRequest {
  const search = query.search?.trim() ?? "";
  const { sort_by: sortBy = defaultOrder.sort_by, sort = defaultOrder.sort } = query;
  const order: ListOrder = { ...(search === "" ? {} : { search }), sortBy, sort };
  const start = query.cursor === undefined ? { page: query.page ?? 1 } : decodeListCursor(query.cursor, order);
  return { ...order, perPage: query.per_page, start };
}

/**
 * Returns which changes a query asks for.
 *
 * @returns undefined if it asks for a list
 * @throws AppError `validation_failed` if a cursor is not valid, or `cursor_expired` if it belongs to another account
 */
export function readChangesRequest(query: ListQuery, accountId: number): WebsiteChangesRequest | undefined {
  if (query.changed_since === undefined) return undefined;
  const first = readPosition("changed_since", query.changed_since, accountId);
  const since = query.cursor === undefined ? first : readPosition("cursor", query.cursor, accountId);
  return { since, perPage: query.per_page };
}

/** The cursors of a page of changes, which are the only valid ones for the next. */
const sources = {
  changed_since: "meta.changes_cursor of an earlier page",
  cursor: "meta.next_cursor of an earlier page of these changes",
} as const;

function readPosition(name: keyof typeof sources, cursor: string, accountId: number): ChangePosition {
  const found = decodeChangesCursor(cursor);
  if (found === undefined) {
    throw validationFailed({ [name]: [`is not a valid cursor; send ${sources[name]}, unchanged`] });
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
