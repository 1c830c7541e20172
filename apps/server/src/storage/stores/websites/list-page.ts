import type { ListScan } from "./list-scan.ts";

/** What a scan for one more than a page found, in the order of the scan. */
export interface ScanResult<Record> {
  readonly records: Record[];
  readonly perPage: number;
  /** Whether there are records on the other side of where the scan started. */
  readonly hasBefore: boolean;
}

export interface ListPage<Record> {
  /** In list order. */
  readonly records: Record[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

/** Makes a page of what a scan found; the one record too many tells that there are more. */
export function toListPage<Record>({ isBackward }: ListScan, finding: ScanResult<Record>): ListPage<Record> {
  const { records, perPage, hasBefore } = finding;
  const hasMore = records.length > perPage;
  const page = hasMore ? records.slice(0, perPage) : records;
  return isBackward
    ? { records: page.reverse(), hasPrevious: hasMore, hasNext: hasBefore }
    : { records: page, hasPrevious: hasBefore, hasNext: hasMore };
}
