import type { Website } from "@siteward/contract";
import { sql } from "kysely";
import type { Database, Query } from "../../database/database.ts";
import { type Placeholder, type Prepared, prepare } from "../../database/prepare.ts";
import { type Page, selectPage } from "../../database/select.ts";
import { combineSelections, optional, selectValue } from "../../tables/selection.ts";
import { containsTerm, inOrder, isWithin, type MatchRange, type WebsiteMatch } from "../../tables/website-match.ts";
import { websiteRecord } from "../../tables/websites.ts";
import { type ListScan, reverseScan } from "./list-scan.ts";
import { websiteVersion } from "./versioned-website.ts";

/** Part of the matches, in the order of a scan. */
export type SearchScan = ListScan & MatchRange;

/** What the query says beside the page. */
interface OldestSummary {
  /** How many websites the account has. */
  readonly size: number;
  /** How many of the compared websites match. */
  readonly total: number;
  /** Whether there are matches before the start of the scan, in the order of the scan. */
  readonly hasBefore: boolean;
}

type OldestPage = Page<Website | undefined, OldestSummary>;

/**
 * With at most this many websites, an account needs no index to be searched. A search of 1,000 takes 0.1 to 0.3 ms on SQLite, and 0.25
 * to 0.45 in PostgreSQL, the longer the more of them match. With an index, it is four to six round trips.
 */
export const maxCompared = 2_000;

/**
 * Returns a query that compares the oldest websites of an account with a term. In an account of up to `maxCompared`, these are all,
 * and the page is that of the search. In a larger one, they are the sample that the index asks for. If the account does not exist,
 * the query finds nothing.
 */
export function prepareOldestSearch(database: Database): (match: WebsiteMatch, scan: SearchScan) => Query<OldestPage> {
  const queries = new Map<string, Prepared<OldestArguments, OldestPage>>();
  return ({ accountId, term, columns }, scan) => {
    // Queries differ in parts that cannot be parameters in SQL. Each is prepared when it is first needed.
    const shape = `${columns} ${scan.sortBy} ${scan.order} ${scan.bound?.operator} ${scan.limit}`;
    const query = queries.get(shape) ?? prepareOldest(database, columns, scan);
    queries.set(shape, query);
    return query({ accountId, term, key: scan.bound?.key ?? 0, offset: scan.offset });
  };
}

interface OldestArguments {
  readonly accountId: number;
  readonly term: string;
  readonly key: number | string;
  readonly offset: number;
}

function prepareOldest({ build, websiteSearch }: Database, columns: WebsiteMatch["columns"], shape: SearchScan) {
  return prepare((value: Placeholder<OldestArguments>) => {
    const accountId = value("accountId");
    const { sortBy, order, bound } = shape;
    const scan = { ...shape, bound: bound && { ...bound, key: value("key") } };
    const compared = sql`(select case when website_count <= ${sql.lit(maxCompared)} then ${sql.lit(maxCompared)}
      else ${sql.lit(websiteSearch.sampleSize)} end from accounts where id = ${accountId})`;
    // The order keeps an engine from reading all accounts because it expects many websites in this one.
    const matches = sql<{ id: number; domain: string }>`(select id, domain from (
      select id, domain, unicode_domain from websites where account_id = ${accountId} order by id limit ${compared}
    ) as compared where ${containsTerm(websiteSearch.isInside, { columns, term: value("term") })})`;
    // SQLite compiles a statement again for each value of its limit, unless that is a literal.
    const page = sql<{ id: number }>`(select id from matches where ${isWithin(scan)} ${inOrder(scan)}
      limit ${sql.lit(shape.limit)} offset ${value("offset")})`;
    const query = build
      .with(
        (name) => name("matches").materialized(),
        () => matches,
      )
      .selectFrom("accounts")
      .leftJoin(page.as("page"), (join) => join.onTrue())
      .leftJoin("websites", (join) =>
        join.on("websites.account_id", "=", accountId).onRef("websites.id", "=", "page.id"),
      )
      .where("accounts.id", "=", accountId)
      .orderBy(sql.ref(`websites.${sortBy}`), order);
    const shared = selectSummary({ sortBy, ...reverseScan(scan) }, value("offset"));
    return selectPage({ row: optional(websiteRecord.selection, "id"), number: websiteVersion, shared }, query);
  });
}

function selectSummary(before: Pick<MatchRange, "sortBy" | "bound">, offset: number) {
  const hasBefore =
    before.bound === undefined ? sql`${offset} > 0` : sql`exists (select 1 from matches where ${isWithin(before)})`;
  return combineSelections({
    size: selectValue(sql.ref("accounts.website_count").as("size"), Number),
    total: selectValue(sql`(select count(*) from matches)`.as("total"), Number),
    hasBefore: selectValue(hasBefore.as("has_before"), Boolean),
  });
}
