import {
  type Contract,
  defaultOrder,
  listWebsitesQuery,
  routes,
  type Website,
  type WebsitePage,
} from "@siteward/contract";
import { encodeChangesCursor, encodeListCursor } from "./cursors.ts";
import { websiteTag } from "./operations/answer-read.ts";
import type { Call } from "./operations/operation.ts";
import type { ChangePosition, VersionedWebsite, WebsiteChanges, WebsiteList, WebsiteListRequest } from "./storage.ts";

type ListCall = Call<Contract["websites"]["list"]>;

/** Returns the page that the service returns for a list, with its links and cursors. */
export function toWebsitePage(call: ListCall, request: WebsiteListRequest, list: WebsiteList): WebsitePage {
  const { websites, total, totalRelation } = list;
  const page = "page" in request.start ? request.start.page : null;
  const isCounted = page !== null && totalRelation === "eq";
  return toPage(call, websites, {
    total,
    total_relation: totalRelation,
    current_page: page,
    last_page: isCounted ? Math.max(1, Math.ceil(total / request.perPage)) : null,
    next_cursor: list.hasNext ? toCursor(request, websites.at(-1)?.website, "forward") : null,
    prev_cursor: list.hasPrevious ? toCursor(request, websites[0]?.website, "backward") : null,
    changes_cursor: encodeChangesCursor(call.principal.accountId, list.changes),
  });
}

/**
 * Returns the cursor of the page beside another one. An empty page has no record to take a position from, so its cursors lead
 * back to where it started.
 */
function toCursor(
  request: WebsiteListRequest,
  edge: Website | undefined,
  direction: "forward" | "backward",
): string | null {
  const { start, sortBy } = request;
  if (edge === undefined) return "page" in start ? null : encodeListCursor(request, { ...start, direction });
  const side = direction === "forward" ? "after" : "before";
  return encodeListCursor(request, { position: { key: edge[sortBy], side }, direction });
}

/** Returns the page that the service returns for changes, with its links and cursors. */
export function toChangesPage(call: ListCall, changes: WebsiteChanges): WebsitePage {
  const { websites, end, newest, total, deletedIds } = changes;
  const cursor = encodeChangesCursor(call.principal.accountId, end);
  return toPage(call, websites, {
    total,
    total_relation: "eq",
    current_page: null,
    last_page: null,
    next_cursor: end.number < newest.number ? cursor : null,
    prev_cursor: null,
    changes_cursor: cursor,
    deleted_ids: deletedIds,
  });
}

type Meta = Omit<WebsitePage["meta"], "per_page" | "entity_tags">;

function toPage(call: ListCall, found: readonly VersionedWebsite[], meta: Meta): WebsitePage {
  const { query, principal } = call;
  const toLink = createLinks(`${call.baseUrl()}${routes.websites.list.path}`, query);
  const { prev_cursor: previous, next_cursor: next } = meta;
  return {
    data: found.map(({ website }) => website),
    links: {
      first: toLink(null),
      prev: previous === null ? null : toLink(previous),
      next: next === null ? null : toLink(next),
    },
    meta: {
      per_page: query.per_page,
      ...meta,
      ...(query.entity_tags === 1 ? { entity_tags: found.map((one) => websiteTag(principal.accountId, one)) } : {}),
    },
  };
}

/** What a request without parameters gets. Links omit parameters that say the same. */
const defaults = { ...defaultOrder, ...listWebsitesQuery.parse({}) };
const linkedParameters = ["sort_by", "sort", "per_page", "changed_since", "entity_tags"] as const;

/** Returns a function that builds the links of a page. They differ only in their cursor, which needs no encoding. */
function createLinks(listUrl: string, query: ListCall["query"]): (cursor: string | null) => string {
  const search = query.search?.trim() ?? "";
  const shared = search === "" ? [] : [new URLSearchParams({ search }).toString()];
  for (const name of linkedParameters) {
    const value = query[name];
    if (value !== undefined && value !== defaults[name]) shared.push(`${name}=${value}`);
  }
  return (cursor) => {
    const parameters = cursor === null ? shared : [...shared, `cursor=${cursor}`];
    return parameters.length === 0 ? listUrl : `${listUrl}?${parameters.join("&")}`;
  };
}

/**
 * Returns the entity tag of a page of a list: the newest change of the account, from which and from the URL all of the page
 * follows. It is weak, because it is not derived from the bytes. The account is part of it, because pages of several accounts
 * have the same URL.
 */
export function listTag(accountId: number, { changes }: WebsiteList): string {
  return `W/"${accountId}.${changes.number}.${changes.at}"`;
}

/**
 * Returns the entity tag of a page of changes. That of a page without changes is its cursor. All other pages have the position
 * of the newest change in theirs, as pages of a list do. Its number alone is not enough: after a restore, other changes get the
 * same numbers.
 */
export function changesTag(accountId: number, since: ChangePosition, { end, newest }: WebsiteChanges): string {
  const cursor = encodeChangesCursor(accountId, end);
  return newest.number === since.number ? `"${cursor}"` : `W/"${cursor}.${newest.number}.${newest.at}"`;
}
