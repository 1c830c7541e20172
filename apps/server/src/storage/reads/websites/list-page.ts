import type { Website } from "@siteward/contract";
import type { WebsiteList } from "@siteward/service";
import type { Page } from "../../database/select.ts";
import type { ListScan } from "./list-scan.ts";

/** What a list says about its websites beside the page. */
interface ListSummary extends Pick<WebsiteList, "total" | "totalRelation" | "changes"> {
  readonly perPage: number;
  /** Whether there are records before the start of the scan, in the order of the scan. */
  readonly hasBefore: boolean;
}

/** The result of a scan, in its order. The only row of an empty page is undefined. */
export type ScannedPage = Pick<Page<Website | undefined, unknown>, "rows" | "numbers">;

/**
 * Converts the result of a scan that reads one record more than a page contains, with its versions. If there is one more, there are
 * more pages.
 */
export function toWebsiteList(
  { isBackward }: ListScan,
  { rows, numbers }: ScannedPage,
  { perPage, hasBefore, total, totalRelation, changes }: ListSummary,
): WebsiteList {
  const found = rows.filter((website) => website !== undefined);
  const hasMore = found.length > perPage;
  const websites = found.slice(0, perPage);
  const versions = numbers.slice(0, websites.length);
  const rest = { total, totalRelation, changes };
  return isBackward
    ? { websites: websites.reverse(), versions: versions.reverse(), ...rest, hasPrevious: hasMore, hasNext: hasBefore }
    : { websites, versions, ...rest, hasPrevious: hasBefore, hasNext: hasMore };
}
