import { type Contract, listWebsitesQuery, routes, type WebsitePage } from "@siteward/contract";
import { principalOf } from "../auth/principal.ts";
import type { Dependencies } from "../dependencies.ts";
import { validationFailed } from "../errors/app-error.ts";
import { baseUrlOf } from "../http/base-url.ts";
import type { PositionStart, WebsiteList, WebsiteListRequest } from "../storage/storage.ts";
import { answerRead } from "./answer-read.ts";
import type { Handler, RequestParts } from "./handler.ts";
import { decodeCursor, encodeCursor, type ListOrder } from "./list-cursor.ts";
import { listTag } from "./list-tag.ts";

type Query = RequestParts<Contract["websites"]["list"]>["query"];

/** Lists the account's websites (docs/interface.md, section 4, "List websites"). */
export function listWebsites({ storage, config }: Dependencies): Handler<Contract["websites"]["list"]> {
  return async ({ query, req, res }) => {
    const request = toListRequest(query);
    const { accountId } = principalOf(req);
    const list = await storage.websites.list(accountId, request);
    return answerRead({ req, res }, listTag(accountId, list), () => {
      const listUrl = `${baseUrlOf(req, config.publicUrl)}${routes.websites.list.path}`;
      return toPage(list, query, request, listUrl);
    });
  };
}

function toListRequest(query: Query): WebsiteListRequest {
  const search = query.search?.trim().toLowerCase() ?? "";
  const order: ListOrder = { search, sortBy: query.sort_by, sort: query.sort };
  return {
    ...(search === "" ? {} : { search }),
    sortBy: query.sort_by,
    sort: query.sort,
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

function toPage(list: WebsiteList, query: Query, request: WebsiteListRequest, listUrl: string): WebsitePage {
  const { websites, total, totalRelation } = list;
  const keyOf = (index: number) => websites.at(index)?.[request.sortBy];
  const next = list.hasNext ? toCursor(request, { key: keyOf(-1), side: "after" }, "forward") : null;
  const previous = list.hasPrevious ? toCursor(request, { key: keyOf(0), side: "before" }, "backward") : null;
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
    },
  };
}

/**
 * Returns the cursor for one edge of a page. An empty page has no record to take a position from, so its cursors lead
 * back to where it started.
 */
function toCursor(
  request: WebsiteListRequest,
  edge: { readonly key: string | number | undefined; readonly side: "before" | "after" },
  direction: "forward" | "backward",
): string | null {
  if (edge.key !== undefined) return encodeCursor(request, { position: { key: edge.key, side: edge.side }, direction });
  return "position" in request.start ? encodeCursor(request, { position: request.start.position, direction }) : null;
}

/** What a request without parameters gets. Links omit parameters that say the same. */
const defaults = listWebsitesQuery.parse({});
const linkedParameters = ["sort_by", "sort", "per_page"] as const;

/** Returns a function that builds the links of a page. They differ only in their cursor, which needs no encoding. */
function createLinks(listUrl: string, query: Query): (cursor: string | null) => string {
  const search = query.search?.trim() ?? "";
  const shared = search === "" ? [] : [new URLSearchParams({ search }).toString()];
  for (const name of linkedParameters) {
    if (query[name] !== defaults[name]) shared.push(`${name}=${query[name]}`);
  }
  return (cursor) => {
    const parameters = cursor === null ? shared : [...shared, `cursor=${cursor}`];
    return parameters.length === 0 ? listUrl : `${listUrl}?${parameters.join("&")}`;
  };
}
