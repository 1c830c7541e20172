import type { ListScan } from "./list-scan.ts";

/** The result of a scan that reads one record more than a page contains. In the order of the scan. */
interface ScanResult<Record> {
  readonly records: Record[];
  readonly perPage: number;
  /** Whether there are records before the start of the scan, in the order of the scan. */
  readonly hasBefore: boolean;
}

interface ListPage<Record> {
  /** In list order. */
  readonly records: Record[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

/** Converts the result of a scan into a page. If the scan read one record more than the page contains, there are more pages. */
export function toListPage<Record>({ isBackward }: ListScan, result: ScanResult<Record>): ListPage<Record> {
  const { records, perPage, hasBefore } = result;
  const hasMore = records.length > perPage;
  const page = hasMore ? records.slice(0, perPage) : records;
  return isBackward
    ? { records: page.reverse(), hasPrevious: hasMore, hasNext: hasBefore }
    : { records: page, hasPrevious: hasBefore, hasNext: hasMore };
}
