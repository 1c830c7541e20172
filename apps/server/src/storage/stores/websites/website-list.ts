import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepareBinding } from "../../database/prepared-query.ts";
import type { WebsiteListRequest, WebsiteStore } from "../../storage.ts";
import { toListPage } from "./list-page.ts";
import { type ListScan, reverseScan, toListScan } from "./list-scan.ts";
import { hasPassword, readWebsiteRow, toWebsite, websiteColumns } from "./website-row.ts";

/**
 * Lists without a search. One query gives the page and beside each record the total and whether something lies on the
 * other side, so that they agree while others write. Only where it finds nothing is a slower one asked, which gives them
 * beside an empty page as well.
 */
export function prepareWebsiteList(database: Database): WebsiteStore["list"] {
  const queries = new Map<string, ListQueries>();
  return async (accountId, request) => {
    const scan = toListScan(request);
    const { page, pageOrNothing } = chooseQueries(queries, database, request, scan);
    const values = { accountId, key: scan.bound?.key ?? 0, offset: scan.offset };
    const rows = await database.reading(async ({ direct }) => {
      const records = await direct.readValues(page(values));
      return records.length > 0 ? records : direct.readValues(pageOrNothing(values));
    });
    const { total, hasOther } = readBeside(rows[0] ?? []);
    const found = toListPage(scan, {
      records: rows.filter(([id]) => id !== null),
      perPage: request.perPage,
      hasOther: hasOther && total > 0,
    });
    return {
      websites: found.records.map((row) => toWebsite(readWebsiteRow(row))),
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

interface ListQueries {
  readonly page: (values: ListArguments) => CompiledQuery;
  readonly pageOrNothing: (values: ListArguments) => CompiledQuery;
}

/** Queries differ in what SQL takes no parameter for; each is built when first needed. */
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
    pageOrNothing: preparePageOrNothing(database, { sortBy, limit: perPage + 1 }, scan),
  };
  queries.set(shape, prepared);
  return prepared;
}

interface PageShape {
  readonly sortBy: WebsiteListRequest["sortBy"];
  /** Written into the query: SQLite takes twice as long where it is a parameter. */
  readonly limit: number;
}

function preparePage({ read }: Database, { sortBy, limit }: PageShape, scan: ListScan) {
  return prepareBinding((argument: Placeholder<ListArguments>) =>
    read
      .selectFrom("websites")
      .select([...websiteColumns, hasPassword().as("has_password")])
      .select([
        sql`(select website_count from accounts where id = ${argument("accountId")})`.as("total"),
        existsBefore(sortBy, scan, argument).as("has_other"),
      ])
      .where("websites.account_id", "=", argument("accountId"))
      .where(fromStart(sortBy, scan, argument))
      .orderBy(sql.ref(`websites.${sortBy}`), scan.order)
      .limit(sql.lit(limit)),
  );
}

/** Gives a row of nulls where the page is empty. */
function preparePageOrNothing({ read }: Database, { sortBy, limit }: PageShape, scan: ListScan) {
  return prepareBinding((argument: Placeholder<ListArguments>) =>
    read
      .selectFrom("accounts")
      .leftJoin("websites", (join) =>
        join.onRef("websites.account_id", "=", "accounts.id").on(fromStart(sortBy, scan, argument)),
      )
      .select([...websiteColumns, hasPassword().as("has_password")])
      .select(["accounts.website_count as total", existsBefore(sortBy, scan, argument).as("has_other")])
      .where("accounts.id", "=", argument("accountId"))
      .orderBy(sql.ref(`websites.${sortBy}`), scan.order)
      .limit(sql.lit(limit)),
  );
}

/** Both queries end in these two columns. */
function readBeside(row: readonly unknown[]): { readonly total: number; readonly hasOther: boolean } {
  const [total, hasOther] = row.slice(-2);
  return { total: Number(total ?? 0), hasOther: Boolean(hasOther) };
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

/**
 * Whether there are records where the scan does not go: the nearest is asked for, since an engine may look for any record
 * by reading the table from its beginning.
 */
function existsBefore(
  sortBy: WebsiteListRequest["sortBy"],
  scan: ListScan,
  argument: Placeholder<ListArguments>,
): RawBuilder<SqlBool> {
  const { bound, order } = reverseScan(scan);
  if (bound === undefined) return sql`${argument("offset")} > 0`;
  const otherKey = sql.ref(`other.${sortBy}`);
  return sql`(
    select ${otherKey} from websites as other where other.account_id = ${argument("accountId")}
    and ${otherKey} ${sql.raw(bound.operator)} ${argument("key")} order by ${otherKey} ${sql.raw(order)} limit 1
  ) is not null`;
}
