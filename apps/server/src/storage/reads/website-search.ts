import { maxExactTotal } from "@siteward/contract";
import { toSearchTerm, type VersionedWebsite, type WebsiteList, type WebsiteListRequest } from "@siteward/service";
import { type SqlBool, sql } from "kysely";
import type { Database, ReadConnection } from "../engine/database.ts";
import { type Placeholder, type Prepared, prepare } from "../engine/prepare.ts";
import { type Page, select, selectPage } from "../engine/select.ts";
import type { SmallSearch } from "../engine/website-search-index.ts";
import { combineSelections, optional, selectValue } from "../tables/selection.ts";
import { inOrder, isWithin, type MatchRange, type WebsiteMatch } from "../tables/website-match.ts";
import {
  type FoundPage,
  type ListScan,
  type ListSummary,
  noPage,
  rangeBefore,
  toListScan,
  toWebsiteList,
} from "./list-page.ts";
import { page, searchLarge } from "./search-large.ts";
import { prepareFindState } from "./website-changes.ts";
import { newestChange, noChanges, versionedWebsite } from "./website-get.ts";

type SearchRequest = WebsiteListRequest & { readonly search: string };

/** Lists the websites whose domain contains the term. One query has the page of most accounts, and says how large the others are. */
export function prepareWebsiteSearch(
  database: Database,
): (accountId: number, request: SearchRequest) => Promise<WebsiteList> {
  const searchSmall = prepareSmallSearch(database);
  const findState = prepareFindState(database);
  return async (accountId, request) => {
    const term = toSearchTerm(request.search);
    const scan = toListScan(request);
    const toList = (found: FoundPage) => toWebsiteList(scan, found, maxExactTotal);
    return database.readUpToDate(async (reader) => {
      if (term === undefined) {
        const [state] = await reader.read(findState({ accountId }));
        return toList({ ...noPage, changes: state?.newest ?? noChanges });
      }
      const match = { accountId, term, columns: searchedColumns(term) };
      const small = await searchSmall(reader, match, scan);
      if (small === undefined) return toList(noPage);
      const { size, ...summary } = small.shared;
      if (size <= maxSmall) return toList({ rows: small.rows, ...summary });
      const found = await reader.snapshot(accountId, (snapshot) =>
        searchIndex(database, snapshot, match, { scan, size }),
      );
      // They were read before the page, so none of them is missing from it.
      return toList({ ...found, changes: summary.changes });
    });
  };
}

/** All its queries use the same snapshot. */
async function searchIndex(
  { build, websiteSearch }: Database,
  snapshot: ReadConnection,
  match: WebsiteMatch,
  { scan, size }: { readonly scan: ListScan; readonly size: number },
): Promise<Omit<FoundPage, "changes">> {
  const before = scan.bound === undefined ? [] : [rangeBefore(scan)];
  const search = await websiteSearch.searchLarge(snapshot);
  const { total, ids } = await searchLarge(snapshot, search, {
    match,
    ranges: [scan, ...before],
    max: maxExactTotal + 1,
    size,
  });
  const [found = [], others = []] = ids;
  const hasBefore = scan.bound === undefined ? scan.offset > 0 : others.length > 0;
  const records = build.selectFrom("websites").where("account_id", "=", match.accountId).where("id", "in", found);
  const read = found.length === 0 ? [] : await snapshot.read(select(versionedWebsite, records));
  const byId = new Map(read.map((versioned) => [versioned.website.id, versioned]));
  return { rows: found.flatMap((id) => byId.get(id) ?? []), total, hasBefore };
}

/**
 * Returns the columns that can contain a term. Punycode begins with the ASCII characters of a label, in their order. So
 * what is ASCII in the Unicode form is also in the domain, unless it reaches into another label: `nchen.de` is in
 * `münchen.de`, but not in `xn--mnchen-3ya.de`.
 */
function searchedColumns(term: string): WebsiteMatch["columns"] {
  if (/\P{ASCII}/u.test(term)) return ["unicode_domain"];
  return term.includes(".") ? ["domain", "unicode_domain"] : ["domain"];
}

interface SmallSummary extends ListSummary {
  /** How many websites the account has. With more than `maxSmall`, the query finds no matches. */
  readonly size: number;
}

type SmallPage = Page<VersionedWebsite | undefined, SmallSummary>;

/**
 * With at most this many websites, an account is small. A search of 1,000 takes 0.07 to 0.26 ms on SQLite, and 0.05 to
 * 0.6 in PostgreSQL, the longer the more of them match. The search of a large account is four round trips or more, the
 * farther its matches are from the start of the list.
 */
export const maxSmall = 2_000;

/**
 * Returns a function that searches an account in one query, if it is small. Of a large one, the query says only how
 * large it is. If the account does not exist, the result is undefined.
 */
function prepareSmallSearch(
  database: Database,
): (reader: ReadConnection, match: WebsiteMatch, scan: MatchRange) => Promise<SmallPage | undefined> {
  const queries = new Map<string, SmallQuery>();
  return async (reader, { accountId, term, columns }, scan) => {
    // Queries differ in parts that cannot be parameters in SQL. Each is prepared when it is first needed.
    const shape = `${columns} ${scan.sortBy} ${scan.order} ${scan.bound?.operator} ${scan.limit}`;
    const query = queries.get(shape) ?? (await prepareQuery(database, reader, columns, scan));
    queries.set(shape, query);
    const parts = query.partsOf(accountId, term);
    const values = { accountId, term, parts, key: scan.bound?.key ?? 0, offset: scan.offset };
    const [found] = await reader.read(query.search(values));
    return found;
  };
}

interface SmallQuery extends Pick<SmallSearch, "partsOf"> {
  readonly search: Prepared<SmallArguments, SmallPage>;
}

interface SmallArguments {
  readonly accountId: number;
  readonly term: string;
  readonly parts: readonly string[];
  readonly key: number | string;
  readonly offset: number;
}

async function prepareQuery(
  { build, websiteSearch }: Database,
  reader: ReadConnection,
  columns: WebsiteMatch["columns"],
  shape: MatchRange,
): Promise<SmallQuery> {
  const { partsOf, matchesOf } = await websiteSearch.searchSmall(reader);
  const search = prepare((value: Placeholder<SmallArguments>) => {
    const accountId = value("accountId");
    const { sortBy, order, bound } = shape;
    const scan = { ...shape, bound: bound && { ...bound, key: value("key") } };
    const isSmall = sql<SqlBool>`(select website_count <= ${sql.lit(maxSmall)} from accounts where id = ${accountId})`;
    const match = { accountId, columns, term: value("term"), parts: value("parts"), isSmall };
    const matches = sql<{ id: number; domain: string }>`(${matchesOf(match)})`;
    const found = sql<{ id: number }>`(select id from matches where ${isWithin(scan)} ${inOrder(scan)}
      ${page({ limit: shape.limit, offset: value("offset") })})`;
    const query = build
      .with(
        (name) => name("matches").materialized(),
        () => matches,
      )
      .selectFrom("accounts")
      .leftJoin(found.as("page"), (join) => join.onTrue())
      .leftJoin("websites", (join) =>
        join.on("websites.account_id", "=", accountId).onRef("websites.id", "=", "page.id"),
      )
      .where("accounts.id", "=", accountId)
      .orderBy(sql.ref(`websites.${sortBy}`), order);
    const shared = selectSummary(rangeBefore(scan), value("offset"));
    return selectPage(optional(versionedWebsite, "id"), shared, query);
  });
  return { partsOf, search };
}

function selectSummary(before: Pick<MatchRange, "sortBy" | "bound">, offset: number) {
  const hasBefore =
    before.bound === undefined ? sql`${offset} > 0` : sql`exists (select 1 from matches where ${isWithin(before)})`;
  return combineSelections({
    size: selectValue(sql.ref("accounts.website_count").as("size"), Number),
    total: selectValue(sql`(select count(*) from matches)`.as("total"), Number),
    changes: newestChange,
    hasBefore: selectValue(hasBefore.as("has_before"), Boolean),
  });
}
