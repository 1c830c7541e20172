import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "./database.ts";
import { toListPage } from "./list-page.ts";
import { type ListScan, reverseScan, toListScan } from "./list-scan.ts";
import { type Placeholder, prepareQuery } from "./prepared-query.ts";
import type { WebsiteListRequest, WebsiteStore } from "./storage.ts";
import { hasPassword, toWebsite, type WebsiteRow, websiteColumns } from "./website-row.ts";

/**
 * Lists without a search. One query gives the page, the total and what lies on the other side, so that they agree while
 * others write. It gives a row of nulls where the page is empty.
 */
export function prepareWebsiteList(database: Database): WebsiteStore["list"] {
  const queries = new Map<string, ListQuery>();
  return async (accountId, request) => {
    const scan = toListScan(request);
    const query = chooseQuery(queries, database, request.sortBy, scan);
    const values = {
      accountId,
      key: scan.bound?.key ?? 0,
      offset: scan.offset,
      limit: request.perPage + 1,
    };
    const rows = await query(database.read, values);
    const [first] = rows;
    const page = toListPage(scan, {
      records: first === undefined || first.id === null ? [] : rows.filter(isWebsite),
      perPage: request.perPage,
      hasOther: first !== undefined && Boolean(first.has_other),
    });
    return {
      websites: page.records.map(toWebsite),
      total: first?.total ?? 0,
      totalRelation: "eq",
      hasPrevious: page.hasPrevious,
      hasNext: page.hasNext,
    };
  };
}

interface ListArguments {
  readonly accountId: number;
  readonly key: number | string;
  readonly offset: number;
  readonly limit: number;
}

type ListQuery = ReturnType<typeof prepareListQuery>;

/** Queries differ in what SQL takes no parameter for; each is built when first needed. */
function chooseQuery(
  queries: Map<string, ListQuery>,
  database: Database,
  sortBy: WebsiteListRequest["sortBy"],
  scan: ListScan,
): ListQuery {
  const shape = `${sortBy} ${scan.order} ${scan.bound?.operator ?? scan.offset > 0}`;
  const known = queries.get(shape);
  if (known !== undefined) return known;
  const query = prepareListQuery(database, sortBy, scan);
  queries.set(shape, query);
  return query;
}

function prepareListQuery({ read }: Database, sortBy: WebsiteListRequest["sortBy"], scan: ListScan) {
  const sortKey = sql.ref<number | string>(`websites.${sortBy}`);
  return prepareQuery((argument: Placeholder<ListArguments>) =>
    read
      .selectFrom("accounts")
      .leftJoin("websites", (join) =>
        join.onRef("websites.account_id", "=", "accounts.id").on(fromStart(sortBy, scan, argument)),
      )
      .select([...websiteColumns, "accounts.website_count as total"])
      .select([hasPassword().as("has_password"), existsBefore(sortBy, scan, argument).as("has_other")])
      .where("accounts.id", "=", argument("accountId"))
      .orderBy(sortKey, scan.order)
      .limit(argument("limit")),
  );
}

/** The condition that a record lies where the scan goes. Records are skipped in the index of the sort key alone. */
function fromStart(
  sortBy: WebsiteListRequest["sortBy"],
  { order, bound, offset }: ListScan,
  argument: Placeholder<ListArguments>,
): RawBuilder<SqlBool> {
  const sortKey = sql.ref(`websites.${sortBy}`);
  if (bound !== undefined) return sql`${sortKey} ${sql.raw(bound.operator)} ${argument("key")}`;
  if (offset === 0) return sql`true`;
  const skippedKey = sql.ref(`skipped.${sortBy}`);
  return sql`${sortKey} ${sql.raw(order === "asc" ? ">=" : "<=")} (
    select ${skippedKey} from websites as skipped where skipped.account_id = ${argument("accountId")}
    order by ${skippedKey} ${sql.raw(order)} limit 1 offset ${argument("offset")}
  )`;
}

/** Whether there are records where the scan does not go. */
function existsBefore(
  sortBy: WebsiteListRequest["sortBy"],
  scan: ListScan,
  argument: Placeholder<ListArguments>,
): RawBuilder<SqlBool> {
  const { bound } = reverseScan(scan);
  if (bound === undefined) return sql`${argument("offset")} > 0 and accounts.website_count > 0`;
  return sql`exists (
    select 1 from websites as other where other.account_id = ${argument("accountId")}
    and ${sql.ref(`other.${sortBy}`)} ${sql.raw(bound.operator)} ${argument("key")}
  )`;
}

function isWebsite<Row extends { [Column in keyof WebsiteRow]: WebsiteRow[Column] | null }>(
  row: Row,
): row is Row & WebsiteRow {
  return row.id !== null;
}
