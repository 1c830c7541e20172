import type { WebsitePage } from "@siteward/contract";
import { encodeChangesCursor } from "./changes-cursor.ts";
import { createLinks } from "./create-links.ts";
import { encodeCursor } from "./list-cursor.ts";
import type { ListQuery } from "./read-list-request.ts";
import type { WebsiteList, WebsiteListRequest } from "./website-list.ts";

/** What a page of a list was requested with. */
interface ListContext {
  readonly accountId: number;
  readonly query: ListQuery;
  readonly request: WebsiteListRequest;
  /** The URL of the list without a query. */
  readonly listUrl: string;
  /** Those of the records; undefined if they were not requested. */
  readonly entityTags: string[] | undefined;
}

/** Returns the page that the service returns for a list, with its links and cursors. */
export function toWebsitePage(
  list: WebsiteList,
  { accountId, query, request, listUrl, entityTags }: ListContext,
): WebsitePage {
  const { websites, total, totalRelation, changes } = list;
  const keyOf = (index: number) => websites.at(index)?.[request.sortBy];
  const toCursor = createCursors(request);
  const next = list.hasNext ? toCursor({ key: keyOf(-1), side: "after" }, "forward") : null;
  const previous = list.hasPrevious ? toCursor({ key: keyOf(0), side: "before" }, "backward") : null;
  const page = "page" in request.start ? request.start.page : null;
  const isCounted = page !== null && totalRelation === "eq";
  const toLink = createLinks(listUrl, query);
  return {
    data: websites,
    links: {
      first: toLink(null),
      prev: previous === null ? null : toLink(previous),
      next: next === null ? null : toLink(next),
    },
    meta: {
      per_page: query.per_page,
      total,
      total_relation: totalRelation,
      current_page: page,
      last_page: isCounted ? Math.max(1, Math.ceil(total / query.per_page)) : null,
      next_cursor: next,
      prev_cursor: previous,
      changes_cursor: encodeChangesCursor(accountId, changes),
      ...(entityTags && { entity_tags: entityTags }),
    },
  };
}

/**
 * Returns the entity tag of a page: the newest change of the account, from which and from the URL all of the page follows. It is weak,
 * because it is not derived from the bytes. The account is part of it, because pages of several accounts have the same URL.
 */
export function listTag(accountId: number, { changes }: WebsiteList): string {
  return `W/"${accountId}.${changes.number}.${changes.at}"`;
}

/** An edge of a page. An empty page has no record there. */
interface PageEdge {
  readonly key: string | number | undefined;
  readonly side: "before" | "after";
}

/**
 * Returns a function that builds the cursor for one edge of a page. An empty page has no record to take a position from, so
 * its cursors lead back to where it started.
 */
function createCursors(
  request: WebsiteListRequest,
): (edge: PageEdge, direction: "forward" | "backward") => string | null {
  return ({ key, side }, direction) => {
    if (key !== undefined) return encodeCursor(request, { position: { key, side }, direction });
    if ("page" in request.start) return null;
    return encodeCursor(request, { position: request.start.position, direction });
  };
}
