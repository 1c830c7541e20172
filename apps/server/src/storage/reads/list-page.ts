import type {
  ChangePosition,
  ListPosition,
  VersionedWebsite,
  WebsiteList,
  WebsiteListRequest,
} from "@siteward/service";
import type { KeyBound, KeyOperator } from "../tables/website-match.ts";
import { noChanges } from "./website-get.ts";

/** How to read a page of a list: the direction and the start. */
export interface ListScan {
  readonly order: "asc" | "desc";
  readonly isBackward: boolean;
  readonly bound: KeyBound | undefined;
  readonly offset: number;
}

export function toListScan({ sort, perPage, start }: WebsiteListRequest): ListScan {
  if ("page" in start) return { order: sort, isBackward: false, bound: undefined, offset: (start.page - 1) * perPage };
  const isBackward = start.direction === "backward";
  const order = isBackward ? reverse(sort) : sort;
  return { order, isBackward, bound: toBound(start.position, order, isBackward), offset: 0 };
}

/** Returns the scan of the records before the start of this one. */
export function reverseScan({ order, bound, isBackward }: ListScan): ListScan {
  const before = bound && { operator: complements[bound.operator], key: bound.key };
  return { order: reverse(order), isBackward: !isBackward, bound: before, offset: 0 };
}

const complements: Readonly<Record<KeyOperator, KeyOperator>> = { "<": ">=", "<=": ">", ">": "<=", ">=": "<" };

function toBound({ key, side }: ListPosition, order: "asc" | "desc", isBackward: boolean): KeyBound {
  const includesKey = (side === "after") === isBackward;
  if (order === "asc") return { operator: includesKey ? ">=" : ">", key };
  return { operator: includesKey ? "<=" : "<", key };
}

function reverse(order: "asc" | "desc"): "asc" | "desc" {
  return order === "asc" ? "desc" : "asc";
}

/** What a list says about its websites beside the page. */
export interface ListSummary {
  /** With a search, up to one more than are counted exactly. */
  readonly total: number;
  /** Whether there are records before the start of the scan, in the order of the scan. */
  readonly hasBefore: boolean;
  readonly changes: ChangePosition;
}

export interface FoundPage extends ListSummary {
  /** In the order of the scan. The only row of an empty page is undefined. */
  readonly rows: readonly (VersionedWebsite | undefined)[];
}

/** Of an account that does not exist. */
export const noPage: FoundPage = { rows: [], total: 0, hasBefore: false, changes: noChanges };

/**
 * Converts the result of a scan that reads one record more than a page contains. If there is one more, there are more pages.
 *
 * @param maxTotal up to which the total is exact
 */
export function toWebsiteList(
  { isBackward }: ListScan,
  perPage: number,
  { rows, total, hasBefore, changes }: FoundPage,
  maxTotal = Number.POSITIVE_INFINITY,
): WebsiteList {
  const found = rows.filter((row) => row !== undefined);
  const hasMore = found.length > perPage;
  const websites = found.slice(0, perPage);
  const hasOthers = hasBefore && total > 0;
  const count = { total: Math.min(total, maxTotal), totalRelation: total > maxTotal ? "gte" : "eq" } as const;
  return isBackward
    ? { websites: websites.reverse(), ...count, changes, hasPrevious: hasMore, hasNext: hasOthers }
    : { websites, ...count, changes, hasPrevious: hasOthers, hasNext: hasMore };
}
