import { maxExactTotal } from "@siteward/contract";
import { toSearchTerm, type WebsiteList, type WebsiteListRequest } from "@siteward/service";
import type { Database, ReadConnection } from "../engine/database.ts";
import { nameEach, prepared, type Statement, sql } from "../engine/statement.ts";
import type { SmallSearch } from "../engine/website-search-index.ts";
import { inOrder, isWithin, page, type SearchedColumns, type WebsiteMatch } from "../tables/website-match.ts";
import { readVersioned, versionedColumns } from "../tables/websites.ts";
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
import { searchLarge } from "./search-large.ts";
import { findState } from "./website-changes.ts";

type SearchRequest = WebsiteListRequest & { readonly search: string };

/** Lists the websites whose domain contains the term. One query has the page of most accounts. */
export function prepareWebsiteSearch(
  database: Database,
): (accountId: number, request: SearchRequest) => Promise<WebsiteList> {
  return async (accountId, request) => {
    const term = toSearchTerm(request.search);
    const scan = toListScan(request);
    const toList = (found: FoundPage) => toWebsiteList(scan, found, maxExactTotal);
    return database.readUpToDate(async (reader) => {
      if (term === undefined) {
        const [state] = await reader.read(findState, { accountId });
        return toList({ ...noPage, changes: state?.newest ?? noPage.changes });
      }
      const match = { accountId, term, columns: searchedColumns(term) };
      const small = await searchSmall(database, reader, match, scan);
      if (small === undefined) return toList(noPage);
      const { size } = small;
      if (size <= maxSmall) return toList(small);
      const found = await reader.snapshot(accountId, (snapshot) =>
        searchIndex(database, snapshot, match, { scan, size }),
      );
      // They were read before the page, so none of them is missing from it.
      return toList({ ...found, changes: small.changes });
    });
  };
}

/** All its queries use the same snapshot. */
async function searchIndex(
  { websiteSearch }: Database,
  snapshot: ReadConnection,
  match: WebsiteMatch,
  { scan, size }: { readonly scan: ListScan; readonly size: number },
): Promise<Omit<FoundPage, "changes">> {
  const before = scan.bound === undefined ? [] : [rangeBefore(scan)];
  const search = await websiteSearch.searchLarge(snapshot);
  const { total, ids } = await searchLarge(snapshot, search, { match, ranges: [scan, ...before], size });
  const [found = [], others = []] = ids;
  const hasBefore = scan.bound === undefined ? scan.offset > 0 : others.length > 0;
  const { names, values } = nameEach("id", found);
  const byIds = sql`select ${versionedColumns} from websites where account_id = :accountId and id in (${names})`;
  const readAll = { sql: byIds, readRows: (rows: readonly (readonly unknown[])[]) => rows.map(readVersioned) };
  const read = found.length === 0 ? [] : await snapshot.read(readAll, { accountId: match.accountId, ...values });
  const byId = new Map(read.map((versioned) => [versioned.website.id, versioned]));
  return { rows: found.flatMap((id) => byId.get(id) ?? []), total, hasBefore };
}

/**
 * Returns the columns that can contain a term. Punycode begins with the ASCII characters of a label, in their order. So
 * what is ASCII in the Unicode form is also in the domain, unless it reaches into another label: `nchen.de` is in
 * `münchen.de`, but not in `xn--mnchen-3ya.de`.
 */
function searchedColumns(term: string): SearchedColumns {
  if (/\P{ASCII}/u.test(term)) return ["unicode_domain"];
  return term.includes(".") ? ["domain", "unicode_domain"] : ["domain"];
}

interface SmallPage extends FoundPage {
  /** How many websites the account has. With more than `maxSmall`, the query finds no matches. */
  readonly size: number;
}

/**
 * With at most this many websites, an account is small. A search of 1,000 takes 0.07 to 0.26 ms on SQLite, and 0.05 to
 * 0.6 in PostgreSQL, the longer the more of them match. The search of a large account is four round trips or more, the
 * farther its matches are from the start of the list.
 */
export const maxSmall = 2_000;

/** Searches a small account in one query. Of a large one, it says how large it is. Undefined if there is none. */
async function searchSmall(
  { websiteSearch }: Database,
  reader: ReadConnection,
  { accountId, term, columns }: WebsiteMatch,
  scan: ListScan,
): Promise<SmallPage | undefined> {
  const search = await websiteSearch.searchSmall(reader);
  const values = { accountId, term, key: scan.bound?.key, offset: scan.offset, ...search.valuesOf(accountId, term) };
  const [found] = await reader.read(selectSmall(search, columns, scan), values);
  return found;
}

const isSmall = sql`(select website_count <= ${maxSmall} from accounts where id = :accountId)`;

function selectSmall(search: SmallSearch, columns: SearchedColumns, scan: ListScan): Statement<SmallPage> {
  const before = rangeBefore(scan);
  const hasBefore =
    before.bound === undefined ? sql`:offset > 0` : sql`exists (select 1 from matches where ${isWithin(before)})`;
  return prepared(
    sql`with matches as materialized (${search.matches(columns, isSmall)})
    select ${versionedColumns}, (select count(*) from matches), account.change_count, account.changed_at, ${hasBefore},
      account.website_count
    from ${joinedAccount}
    left join (select id from matches where ${isWithin(scan)} ${inOrder(scan)} ${page(scan)}) as page on true
    left join websites on websites.account_id = :accountId and websites.id = page.id
    order by websites.${scan.sortBy} ${scan.order}`,
    readSmall,
  );
}

/** The size is the last value of each row. */
function readSmall(rows: readonly (readonly unknown[])[]): SmallPage[] {
  return readPage(rows).map((found) => ({ ...found, size: Number(rows[0]?.at(-1)) }));
}
