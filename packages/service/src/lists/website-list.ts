import type { Website } from "@siteward/contract";
import type { ChangePosition } from "./website-changes.ts";

export interface WebsiteListRequest {
  /** A part of the domain in its ASCII or its Unicode form, in any case. It is not empty. */
  readonly search?: string;
  readonly sortBy: "id" | "domain";
  readonly sort: "asc" | "desc";
  /** The largest number of records. */
  readonly perPage: number;
  readonly start: PageStart | PositionStart;
}

/** Starts at a page number: skips `(page - 1) * perPage` records. */
interface PageStart {
  readonly page: number;
}

/** Starts at a position between two records (keyset pagination), in list order (`forward`) or against it (`backward`). */
export interface PositionStart {
  readonly position: ListPosition;
  readonly direction: "forward" | "backward";
}

/** The position right before or right after a record in list order. The record need not exist any more. */
export interface ListPosition {
  /** The record's id or domain, depending on `sortBy`. */
  readonly key: number | string;
  readonly side: "before" | "after";
}

export interface WebsiteList {
  /** In list order, even if the page was read backward. */
  readonly websites: Website[];
  /** The row version of each website, in the same order. */
  readonly versions: number[];
  /** Exact without a search. With one, exact up to `maxExactTotal` matches; with more matches it is that number. */
  readonly total: number;
  readonly totalRelation: "eq" | "gte";
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  /** The newest change when the page was read, or an earlier one. It is never one that the page does not show yet. */
  readonly changes: ChangePosition;
}
