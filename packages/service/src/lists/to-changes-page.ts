import type { WebsitePage } from "@siteward/contract";
import { encodeChangesCursor } from "./changes-cursor.ts";
import { createLinks } from "./create-links.ts";
import type { ListQuery } from "./read-list-request.ts";
import type { ChangePosition, WebsiteChanges } from "./website-changes.ts";

/** What a page of changes was requested with. */
interface ChangesContext {
  readonly accountId: number;
  readonly query: ListQuery;
  /** Where the changes of the first page begin. */
  readonly first: ChangePosition;
  /** The URL of the list without a query. */
  readonly listUrl: string;
  /** Those of the records; undefined if they were not requested. */
  readonly entityTags: string[] | undefined;
}

/** Returns the page that the service returns for changes, with its links and cursors. */
export function toChangesPage(
  { websites, deletedIds, end, newest, total }: WebsiteChanges,
  { accountId, query, first, listUrl, entityTags }: ChangesContext,
): WebsitePage {
  // The cursor that was sent may be written in another way, which a link would have to encode.
  const toLink = createLinks(listUrl, { ...query, changed_since: encodeChangesCursor(accountId, first) });
  const cursor = encodeChangesCursor(accountId, end);
  const next = end.number < newest.number ? cursor : null;
  return {
    data: websites,
    links: { first: toLink(null), prev: null, next: next === null ? null : toLink(next) },
    meta: {
      per_page: query.per_page,
      total,
      total_relation: "eq",
      current_page: null,
      last_page: null,
      next_cursor: next,
      prev_cursor: null,
      changes_cursor: cursor,
      deleted_ids: deletedIds,
      ...(entityTags && { entity_tags: entityTags }),
    },
  };
}

/**
 * Returns the entity tag of a page of changes. That of a page without changes is its cursor. The state of an account follows from the
 * position of its newest change, and the rest of a page from its URL, so all other pages have that position in theirs. Its number alone
 * is not enough: after a restore, other changes get the same numbers. These tags are weak, because they are not derived from the bytes.
 */
export function changesTag(accountId: number, since: ChangePosition, { end, newest }: WebsiteChanges): string {
  const cursor = encodeChangesCursor(accountId, end);
  return newest.number === since.number ? `"${cursor}"` : `W/"${cursor}.${newest.number}.${newest.at}"`;
}
