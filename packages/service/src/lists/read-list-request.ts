import { defaultOrder, type listWebsitesQuery } from "@siteward/contract";
import { validationFailed } from "../errors/refusals.ts";
import { decodeCursor, type ListOrder } from "./list-cursor.ts";
import type { PositionStart, WebsiteListRequest } from "./website-list.ts";

/** The validated query of a list, with its defaults. */
export type ListQuery = ReturnType<typeof listWebsitesQuery.parse>;

/**
 * Returns what a query says about the list to read.
 *
 * @throws AppError `validation_failed` if its cursor is not valid
 */
export function readListRequest(query: ListQuery): WebsiteListRequest {
  const search = query.search?.trim() ?? "";
  const { sort_by: sortBy = defaultOrder.sort_by, sort = defaultOrder.sort } = query;
  const order: ListOrder = { search, sortBy, sort };
  return {
    ...(search === "" ? {} : { search }),
    sortBy,
    sort,
    perPage: query.per_page,
    start: query.cursor === undefined ? { page: query.page ?? 1 } : readCursor(query.cursor, order),
  };
}

function readCursor(cursor: string, order: ListOrder): PositionStart {
  const start = decodeCursor(cursor, order);
  if (start === "other-list") {
    throw validationFailed({
      cursor: [
        "belongs to a list with another search, sort_by or sort; send the values of that list, or omit the cursor",
      ],
    });
  }
  if (start === "unreadable") {
    throw validationFailed({
      cursor: ["is not a valid cursor; send meta.next_cursor or meta.prev_cursor of an earlier page, unchanged"],
    });
  }
  return start;
}
