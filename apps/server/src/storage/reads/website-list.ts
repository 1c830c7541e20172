import type { VersionedWebsite, WebsiteStore } from "@siteward/service";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../engine/database.ts";
import { type Placeholder, type Prepared, prepare } from "../engine/prepare.ts";
import { type Page, selectPage } from "../engine/select.ts";
import { combineSelections, optional, type Selection, selectValue } from "../tables/selection.ts";
import { inOrder, isWithin } from "../tables/website-match.ts";
import { type ListScan, type ListSummary, noPage, rangeBefore, toListScan, toWebsiteList } from "./list-page.ts";
import { newestChange, versionedWebsite } from "./website-get.ts";

/**
 * Lists websites without a search. One query returns the page and the summary, so that they agree while others write.
 * The summary is in every row of the page. Only if the page is empty, a slower query runs, which also returns the
 * summary of an empty page.
 */
export function prepareWebsiteList(database: Database): WebsiteStore["list"] {
  const queries = new Map<string, ListQuery>();
  return async (accountId, request) => {
    const scan = toListScan(request);
    const values = { accountId, key: scan.bound?.key ?? 0, offset: scan.offset };
    const [read] = await database.readUpToDate(async (reader) => {
      const found = await reader.read(chooseQuery(queries, database, scan, false)(values));
      if (found.length > 0) return found;
      return reader.read(chooseQuery(queries, database, scan, true)(values));
    });
    return toWebsiteList(scan, read === undefined ? noPage : { rows: read.rows, ...read.shared });
  };
}

interface ListArguments {
  readonly accountId: number;
  readonly key: number | string;
  readonly offset: number;
}

type ListQuery = Prepared<ListArguments, Page<VersionedWebsite | undefined, ListSummary>>;

/** Queries differ in parts that cannot be parameters in SQL. Each is prepared when it is first needed. */
function chooseQuery(
  queries: Map<string, ListQuery>,
  database: Database,
  scan: ListScan,
  canBeEmpty: boolean,
): ListQuery {
  const { sortBy, order, bound, offset, limit } = scan;
  const name = `${sortBy} ${order} ${bound?.operator ?? offset > 0} ${limit} ${canBeEmpty}`;
  const query = queries.get(name) ?? preparePage(database, scan, canBeEmpty);
  queries.set(name, query);
  return query;
}

/**
 * The account is joined: it has one row, so the page is still one range of an index, and each of its columns costs no search.
 *
 * @param canBeEmpty whether the query also returns the summary of a page without websites
 */
function preparePage({ build }: Database, scan: ListScan, canBeEmpty: boolean): ListQuery {
  return prepare((value: Placeholder<ListArguments>) => {
    const page = build
      .selectFrom("accounts")
      .leftJoin("websites", (join) => join.onRef("websites.account_id", "=", "accounts.id").on(fromStart(scan, value)))
      .where("accounts.id", "=", value("accountId"))
      // Without this, PostgreSQL reads and sorts all websites of the account.
      .$if(!canBeEmpty, (query) => query.where("websites.id", "is not", null))
      .orderBy(sql.ref(`websites.${scan.sortBy}`), scan.order)
      // A literal: SQLite takes twice as long if it is a parameter.
      .limit(sql.lit(scan.limit));
    const summary = selectSummary(hasRecordsBefore(scan, value));
    return selectPage(optional(versionedWebsite, "id"), summary, page);
  });
}

function selectSummary(hasBefore: RawBuilder<SqlBool>): Selection<ListSummary> {
  return combineSelections({
    total: selectValue(sql.ref("accounts.website_count").as("total"), Number),
    changes: newestChange,
    hasBefore: selectValue(hasBefore.as("has_other"), Boolean),
  });
}

/**
 * The condition that a record is not before the start of the scan. Skipping to an offset reads only the index of the
 * sort key.
 */
function fromStart({ sortBy, order, bound, offset }: ListScan, value: Placeholder<ListArguments>): RawBuilder<SqlBool> {
  const sortKey = sql.ref(`websites.${sortBy}`);
  if (bound !== undefined) return sql`${sortKey} ${sql.raw(bound.operator)} ${value("key")}`;
  if (offset === 0) return sql`true`;
  const skippedKey = sql.ref(`skipped.${sortBy}`);
  const isFromHere = sql.raw(order === "asc" ? ">=" : "<=");
  return sql`${sortKey} ${isFromHere} (
    select ${skippedKey} from websites as skipped where skipped.account_id = ${value("accountId")}
    order by ${skippedKey} ${sql.raw(order)} limit 1 offset ${value("offset")}
  )`;
}

/**
 * The condition that there are records before the start of the scan. Selects the nearest one: to find just any record,
 * an engine may read the table from its beginning.
 */
function hasRecordsBefore(scan: ListScan, value: Placeholder<ListArguments>): RawBuilder<SqlBool> {
  const { bound, ...range } = rangeBefore(scan);
  if (bound === undefined) return sql`${value("offset")} > 0`;
  const before = { ...range, bound: { ...bound, key: value("key") } };
  return sql`(
    select ${sql.ref(scan.sortBy)} from websites
    where account_id = ${value("accountId")} and ${isWithin(before)} ${inOrder(before)} limit 1
  ) is not null`;
}
