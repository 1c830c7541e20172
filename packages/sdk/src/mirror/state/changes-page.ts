import type { Website } from "@siteward/contract/types";
import { isWebsite } from "./mirrored-website.ts";

/** A page of the list of websites, or of the changes since a cursor, as the client of the SDK returns it. */
export interface ReceivedPage {
  /** The websites. */
  readonly data: readonly unknown[];
  /** The cursors, and which websites were deleted. */
  readonly meta: object;
}

/** What a mirror reads of a page. */
export interface ChangesPage {
  readonly websites: readonly Website[];
  readonly deletedIds: readonly number[];
  /** Where the changes after this page begin. */
  readonly cursor: string;
  /** Where the next page begins. Undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** @returns what the page contains, or undefined if it is not one that the service sends */
export function readChangesPage({ data, meta }: ReceivedPage): ChangesPage | undefined {
  const { changes_cursor: cursor, deleted_ids: deletedIds = [], next_cursor } = meta as PageMeta;
  const isRight =
    data.every(isWebsite) &&
    typeof cursor === "string" &&
    Array.isArray(deletedIds) &&
    deletedIds.every(Number.isSafeInteger);
  if (!isRight) return undefined;
  return { websites: data, deletedIds, cursor, nextCursor: typeof next_cursor === "string" ? next_cursor : undefined };
}

interface PageMeta {
  readonly changes_cursor?: unknown;
  readonly deleted_ids?: unknown;
  readonly next_cursor?: unknown;
}
