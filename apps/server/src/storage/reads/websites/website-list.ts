import type { Website } from "@siteward/contract";
import type { ChangePosition, WebsiteListRequest, WebsiteStore } from "@siteward/service";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database, ReadConnection } from "../../database/database.ts";
import { type Placeholder, type Prepared, prepare } from "../../database/prepare.ts";
import { type Page, selectPage } from "../../database/select.ts";
import { combineSelections, optional, type Selection, selectValue } from "../../tables/selection.ts";
import { websiteRecord } from "../../tables/websites.ts";
import { newestChange, noChanges } from "./account-changes.ts";
import { prepareDeepPage } from "./deep-page.ts";
import { anchorStep } from "./list-anchors.ts";
import { toWebsiteList } from "./list-page.ts";
import { type ListScan, reverseScan, toListScan } from "./list-scan.ts";
import { websiteVersion } from "./versioned-website.ts";

/**
 * Lists websites without a search. One query returns the page and the summary, so that they agree while others write. The
 * summary is in every row of the page. Only if the page is empty, a slower query runs, which also returns the summary of an
 * empty page.
 */
export function prepareWebsiteList(database: Database): WebsiteStore["list"] {
  const queries = new Map<string, ListQueries>();
  const deepPage = prepareDeepPage(database);
  return async (accountId, request) => {
    const scan = toListScan(request);
    const readPage = async (reader: ReadConnection, part: ListScan, key: number | string) => {
      const { page, pageOrSummary } = chooseQueries(queries, database, request, part);
      const values = { accountId, key, offset: part.offset };
      const found = await reader.read(page(values));
      const [read] = found.length > 0 ? found : await reader.read(pageOrSummary(values));
      return read === undefined ? undefined : { ...read, state: read.shared };
    };
    const name = { accountId, sortBy: request.sortBy, order: scan.order };
    const read = await database.readUpToDate((reader) =>
      scan.offset < anchorStep
        ? readPage(reader, scan, scan.bound?.key ?? 0)
        : deepPage(reader, { name, place: scan.offset }, (anchor, offset) =>
            readPage(reader, { ...scan, offset, hasAnchor: anchor !== undefined }, anchor?.key ?? 0),
          ),
    );
    const { total, hasBefore, changes } = read?.shared ?? { total: 0, hasBefore: false, changes: noChanges };
    const list = { total, totalRelation: "eq", hasBefore: hasBefore && total > 0, changes } as const;
    return toWebsiteList(scan, read ?? { rows: [], numbers: [] }, { perPage: request.perPage, ...list });
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
  readonly changes: ChangePosition;
  /** The highest website id ever assigned, in a numbered page. */
  readonly created: number;
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
  const shape = `${sortBy} ${scan.order} ${scan.bound?.operator ?? scan.offset > 0} ${scan.hasAnchor} ${perPage}`;
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

/** The account is joined: it has one row, so the page is still one range of an index, and each of its columns costs no search. */
function preparePage({ build }: Database, { sortBy, limit }: PageShape, scan: ListScan): ListQuery {
  return prepare((value: Placeholder<ListArguments>) => {
    const page = build
      .selectFrom("accounts")
      .innerJoin("websites", (join) =>
        join.onRef("websites.account_id", "=", "accounts.id").on(fromStart(sortBy, scan, value)),
      )
      .where("accounts.id", "=", value("accountId"))
      .orderBy(sql.ref(`websites.${sortBy}`), scan.order)
      .limit(sql.lit(limit));
    const created = scan.offset > 0 || scan.hasAnchor === true ? selectCreated : notNeeded;
    const shared = selectSummary(created, hasRecordsBefore(sortBy, scan, value));
    return selectPage({ row: websiteRecord.selection, number: websiteVersion, shared }, page);
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
    const row = optional(websiteRecord.selection, "id");
    const shared = selectSummary(selectCreated, hasRecordsBefore(sortBy, scan, value));
    return selectPage({ row, number: websiteVersion, shared }, page);
  });
}

function selectSummary(created: Selection<number>, hasBefore: RawBuilder<SqlBool>): Selection<PageSummary> {
  return combineSelections({
    total: selectValue(sql.ref("accounts.website_count").as("total"), Number),
    changes: newestChange,
    created,
    hasBefore: selectValue(hasBefore.as("has_other"), Boolean),
  });
}

const selectCreated = selectValue(sql.ref("accounts.last_website_id").as("created"), Number);

/** Selects nothing, because a column is read in every row. */
const notNeeded: Selection<number> = { columns: [], read: () => 0 };

/**
 * The condition that a record is not before the start of the scan. Skipping to an offset reads only the index of the sort
 * key.
 */
function fromStart(
  sortBy: WebsiteListRequest["sortBy"],
  { order, bound, offset, hasAnchor }: ListScan,
  value: Placeholder<ListArguments>,
): RawBuilder<SqlBool> {
  const sortKey = sql.ref(`websites.${sortBy}`);
  if (bound !== undefined) return sql`${sortKey} ${sql.raw(bound.operator)} ${value("key")}`;
  if (offset === 0 && hasAnchor !== true) return sql`true`;
  const skippedKey = sql.ref(`skipped.${sortBy}`);
  const isFromHere = sql.raw(order === "asc" ? ">=" : "<=");
  const isSkipped = hasAnchor === true ? sql`${skippedKey} ${isFromHere} ${value("key")}` : sql`true`;
  return sql`${sortKey} ${isFromHere} (
    select ${skippedKey} from websites as skipped where skipped.account_id = ${value("accountId")} and ${isSkipped}
    order by ${skippedKey} ${sql.raw(order)} limit 1 offset ${value("offset")}
  )`;
}

/**
 * The condition that there are records before the start of the scan. Selects the nearest one: to find just any record, an
 * engine may read the table from its beginning.
 */
function hasRecordsBefore(
  sortBy: WebsiteListRequest["sortBy"],
  scan: ListScan,
  value: Placeholder<ListArguments>,
): RawBuilder<SqlBool> {
  const { bound, order } = reverseScan(scan);
  if (bound === undefined) return scan.hasAnchor === true ? sql`true` : sql`${value("offset")} > 0`;
  const otherKey = sql.ref(`other.${sortBy}`);
  return sql`(
    select ${otherKey} from websites as other where other.account_id = ${value("accountId")}
    and ${otherKey} ${sql.raw(bound.operator)} ${value("key")} order by ${otherKey} ${sql.raw(order)} limit 1
  ) is not null`;
}
