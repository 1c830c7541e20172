import type { Website } from "@siteward/contract";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, type Prepared, prepare } from "../../database/prepare.ts";
import { type Page, selectPage } from "../../database/select.ts";
import type { WebsiteListRequest, WebsiteStore } from "../../storage.ts";
import { combineSelections, optional, type Selection, selectValue } from "../../tables/selection.ts";
import { websiteRecord } from "../../tables/websites.ts";
import { toListPage } from "./list-page.ts";
import { type ListScan, reverseScan, toListScan } from "./list-scan.ts";

/**
 * Lists websites without a search. One query returns the page and the summary, so that they agree while others write. The
 * summary is in every row of the page. Only if the page is empty, a slower query runs, which also returns the summary of an
 * empty page.
 */
export function prepareWebsiteList(database: Database): WebsiteStore["list"] {
  const queries = new Map<string, ListQueries>();
  return async (accountId, request) => {
    const scan = toListScan(request);
    const { page, pageOrSummary } = chooseQueries(queries, database, request, scan);
    const values = { accountId, key: scan.bound?.key ?? 0, offset: scan.offset };
    const [read] = await database.readUpToDate(async (reader) => {
      const found = await reader.read(page(values));
      return found.length > 0 ? found : reader.read(pageOrSummary(values));
    });
    const { total, hasBefore } = read?.shared ?? { total: 0, hasBefore: false };
    const found = toListPage(scan, {
      records: read?.rows.filter((website) => website !== undefined) ?? [],
      perPage: request.perPage,
      hasBefore: hasBefore && total > 0,
    });
    return {
      websites: found.records,
      total,
      totalRelation: "eq",
      hasPrevious: found.hasPrevious,
      hasNext: found.hasNext,
    };
  };
}

interface ListArguments {
  readonly accountId: number;
  readonly key: number | string;
  readonly offset: number;
}

type ListQuery = Prepared<ListArguments, Page<Website | undefined, PageSummary>>;

interface ListQueries {
  readonly page: ListQuery;
  readonly pageOrSummary: ListQuery;
}

/** What a page says about the rest of the list. */
interface PageSummary {
  readonly total: number;
  /** Whether there are records before the start of the scan, in the order of the scan. */
  readonly hasBefore: boolean;
}

/** Queries differ in parts that cannot be parameters in SQL. Each is prepared when it is first needed. */
function chooseQueries(
  queries: Map<string, ListQueries>,
  database: Database,
  { sortBy, perPage }: WebsiteListRequest,
  scan: ListScan,
): ListQueries {
  const shape = `${sortBy} ${scan.order} ${scan.bound?.operator ?? scan.offset > 0} ${perPage}`;
  const known = queries.get(shape);
  if (known !== undefined) return known;
  const prepared = {
    page: preparePage(database, { sortBy, limit: perPage + 1 }, scan),
    pageOrSummary: preparePageOrSummary(database, { sortBy, limit: perPage + 1 }, scan),
  };
  queries.set(shape, prepared);
  return prepared;
}

interface PageShape {
  readonly sortBy: WebsiteListRequest["sortBy"];
  /** A literal in the query: SQLite takes twice as long if it is a parameter. */
  readonly limit: number;
}

function preparePage({ build }: Database, { sortBy, limit }: PageShape, scan: ListScan): ListQuery {
  return prepare((value: Placeholder<ListArguments>) => {
    const total = sql`(select website_count from accounts where id = ${value("accountId")})`;
    const page = build
      .selectFrom("websites")
      .where("websites.account_id", "=", value("accountId"))
      .where(fromStart(sortBy, scan, value))
      .orderBy(sql.ref(`websites.${sortBy}`), scan.order)
      .limit(sql.lit(limit));
    return selectPage(
      { row: websiteRecord.selection, shared: selectSummary(total, hasRecordsBefore(sortBy, scan, value)) },
      page,
    );
  });
}

/** Also returns the summary if the page is empty. */
function preparePageOrSummary({ build }: Database, { sortBy, limit }: PageShape, scan: ListScan): ListQuery {
  return prepare((value: Placeholder<ListArguments>) => {
    const page = build
      .selectFrom("accounts")
      .leftJoin("websites", (join) =>
        join.onRef("websites.account_id", "=", "accounts.id").on(fromStart(sortBy, scan, value)),
      )
      .where("accounts.id", "=", value("accountId"))
      .orderBy(sql.ref(`websites.${sortBy}`), scan.order)
      .limit(sql.lit(limit));
    const total = sql.ref("accounts.website_count");
    const row = optional(websiteRecord.selection, "id");
    return selectPage({ row, shared: selectSummary(total, hasRecordsBefore(sortBy, scan, value)) }, page);
  });
}

function selectSummary(total: RawBuilder<unknown>, hasBefore: RawBuilder<SqlBool>): Selection<PageSummary> {
  return combineSelections({
    total: selectValue(total.as("total"), Number),
    hasBefore: selectValue(hasBefore.as("has_other"), Boolean),
  });
}

/**
 * The condition that a record is not before the start of the scan. Skipping to an offset reads only the index of the sort
 * key.
 */
function fromStart(
  sortBy: WebsiteListRequest["sortBy"],
  { order, bound, offset }: ListScan,
  value: Placeholder<ListArguments>,
): RawBuilder<SqlBool> {
  const sortKey = sql.ref(`websites.${sortBy}`);
  if (bound !== undefined) return sql`${sortKey} ${sql.raw(bound.operator)} ${value("key")}`;
  if (offset === 0) return sql`true`;
  const skippedKey = sql.ref(`skipped.${sortBy}`);
  return sql`${sortKey} ${sql.raw(order === "asc" ? ">=" : "<=")} (
    select ${skippedKey} from websites as skipped where skipped.account_id = ${value("accountId")}
    order by ${skippedKey} ${sql.raw(order)} limit 1 offset ${value("offset")}
  )`;
}

/**
 * The condition that there are records before the start of the scan. Selects the nearest one: to find just any record, an engine may
 * read the table from its beginning.
 */
function hasRecordsBefore(
  sortBy: WebsiteListRequest["sortBy"],
  scan: ListScan,
  value: Placeholder<ListArguments>,
): RawBuilder<SqlBool> {
  const { bound, order } = reverseScan(scan);
  if (bound === undefined) return sql`${value("offset")} > 0`;
  const otherKey = sql.ref(`other.${sortBy}`);
  return sql`(
    select ${otherKey} from websites as other where other.account_id = ${value("accountId")}
    and ${otherKey} ${sql.raw(bound.operator)} ${value("key")} order by ${otherKey} ${sql.raw(order)} limit 1
  ) is not null`;
}
