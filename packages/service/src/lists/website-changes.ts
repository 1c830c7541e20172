import type { Website } from "@siteward/contract";

/**
 * A position in the changes of an account: how many changes of websites were counted up to it, and the time of the last of them.
 * The time only tells whether it is still the same change. It may be before that of an earlier one, because clocks differ.
 */
export interface ChangePosition {
  readonly number: number;
  /** In milliseconds since 1970. At number 0, it is when the count began. */
  readonly at: number;
}

export interface WebsiteChangesRequest {
  readonly since: ChangePosition;
  /** The largest number of changes. */
  readonly perPage: number;
}

/** What some changes led to. */
export interface WebsiteChanges {
  /** The websites that were changed and exist, each once, as they are now, in the order of their newest changes. */
  readonly websites: Website[];
  /** The row version of each website, in the same order. */
  readonly versions: number[];
  /** The ids of the websites that were changed and do not exist any more. */
  readonly deletedIds: number[];
  /** The position after these changes. */
  readonly end: ChangePosition;
  /** The position after the newest change when the websites were read. If its number is higher than that of the end, there are more changes. */
  readonly newest: ChangePosition;
  /** How many websites the account has. */
  readonly total: number;
}
