import type { WebsiteStore } from "@siteward/service";
import type { Database } from "../engine/database.ts";
import { firstRows, listNames, prepared, type Sql, type Statement, sql } from "../engine/statement.ts";
import { columnNames } from "../tables/table.ts";
import { inOrder, isWithin } from "../tables/website-match.ts";
import { versionedColumns, websites } from "../tables/websites.ts";
import { joinedAccount } from "./account-reads.ts";
import {
  type FoundPage,
  type ListScan,
  noPage,
  rangeBefore,
  readPage,
  toListScan,
  toWebsiteList,
} from "./page-scan.ts";

/**
 * Lists websites without a search. One query returns the page and the summary, so that they agree while others write.
 * The summary is in every row of the page. Only if the page is empty, a slower query runs, which also returns the
 * summary of an empty page.
 */
export function prepareWebsiteList(database: Pick<Database, "readUpToDate">): WebsiteStore["list"] {
  return async (accountId, request) => {
    const scan = toListScan(request);
    const values = { accountId, key: scan.bound?.key, offset: scan.offset };
    const [found] = await database.readUpToDate(async ({ read }) => {
      const pages = await read(selectPage(scan, foundWebsites(scan)), values);
      return pages.length > 0 ? pages : read(selectPage(scan, anyWebsites(scan)), values);
    });
    return toWebsiteList(scan, found ?? noPage);
  };
}

/** With a cross join, SQLite reads the websites first, and does not sort all of an account. */
function foundWebsites(scan: ListScan): Sql {
  return sql`websites cross join ${joinedAccount} where websites.account_id = :accountId and ${fromStart(scan)}`;
}

/** Also finds the account of an empty page. */
function anyWebsites(scan: ListScan): Sql {
  return sql`${joinedAccount} left join (
      select ${listNames(columnNames(websites))} from websites
      where account_id = :accountId and ${fromStart(scan)} ${inOrder(scan)} ${firstRows(scan.limit)}
    ) as websites on true`;
}

function selectPage(scan: ListScan, from: Sql): Statement<FoundPage> {
  const { sortBy, order, limit } = scan;
  return prepared(
    sql`select ${versionedColumns},
      account.website_count, account.change_count, account.changed_at, ${hasRecordsBefore(scan)}
    from ${from}
    order by websites.${sortBy} ${order} ${firstRows(limit)}`,
    readPage,
  );
}

/**
 * The condition that a record is not before the start of the scan. Skipping to an offset reads only the index of the
 * sort key.
 */
function fromStart({ sortBy, order, bound, offset }: ListScan): Sql {
  if (bound !== undefined) return sql`websites.${sortBy} ${bound.operator} :key`;
  if (offset === 0) return sql`true`;
  return sql`websites.${sortBy} ${order === "asc" ? ">=" : "<="} (
      select skipped.${sortBy} from websites as skipped where skipped.account_id = :accountId
      order by skipped.${sortBy} ${order} ${firstRows(1, sql`cast(:offset as bigint)`)}
    )`;
}

/**
 * The condition that there are records before the start of the scan. Selects the nearest one: to find just any record,
 * an engine may read the table from its beginning.
 */
function hasRecordsBefore(scan: ListScan): Sql {
  const before = rangeBefore(scan);
  if (before.bound === undefined) return sql`:offset > 0`;
  return sql`(
      select ${before.sortBy} from websites where account_id = :accountId and ${isWithin(before)} ${inOrder(before)} ${firstRows(1)}
    ) is not null`;
}
