import { maxExactTotal } from "@siteward/contract";
import { type ChangePosition, toSearchTerm, type WebsiteList, type WebsiteListRequest } from "@siteward/service";
import type { Database, ReadConnection } from "../../database/database.ts";
import { select } from "../../database/select.ts";
import type { WebsiteMatch } from "../../tables/website-match.ts";
import { noChanges, prepareFindNewestChange } from "./account-changes.ts";
import { type ScannedPage, toWebsiteList } from "./list-page.ts";
import { reverseScan, toListScan } from "./list-scan.ts";
import { searchLarge } from "./search-large.ts";
import { maxSmall, prepareSmallSearch, type SearchScan } from "./search-small.ts";
import { searchedColumns } from "./searched-columns.ts";
import { versionedWebsite } from "./versioned-website.ts";

type SearchRequest = WebsiteListRequest & { readonly search: string };

/** Lists the websites whose domain contains the term. One query has the page of most accounts, and says how large the others are. */
export function prepareWebsiteSearch(
  database: Database,
): (accountId: number, request: SearchRequest) => Promise<WebsiteList> {
  const searchSmall = prepareSmallSearch(database);
  const findNewest = prepareFindNewestChange(database);
  return async (accountId, request) => {
    const term = toSearchTerm(request.search);
    const scan = { ...toListScan(request), sortBy: request.sortBy, limit: request.perPage + 1 };
    if (term === undefined) return toResult(scan, { ...noPage, changes: await findNewest(accountId) });
    const match = { accountId, term, columns: searchedColumns(term) };
    return database.readUpToDate(async (reader) => {
      const small = await searchSmall(reader, match, scan);
      if (small === undefined) return toResult(scan, noPage);
      const { size, total, hasBefore, changes } = small.shared;
      if (size <= maxSmall) return toResult(scan, { ...small, total, hasBefore, changes });
      const found = await reader.snapshot((snapshot) => searchIndex(database, snapshot, match, { scan, size }));
      // They were read before the page, so none of them is missing from it.
      return toResult(scan, { ...found, changes });
    });
  };
}

interface SearchResult extends ScannedPage {
  /** How many match, up to one more than are counted exactly. */
  readonly total: number;
  readonly hasBefore: boolean;
  readonly changes: ChangePosition;
}

const noPage: SearchResult = { rows: [], numbers: [], total: 0, hasBefore: false, changes: noChanges };

function toResult(scan: SearchScan, { total, hasBefore, changes, ...page }: SearchResult): WebsiteList {
  return toWebsiteList(scan, page, {
    perPage: scan.limit - 1,
    total: Math.min(total, maxExactTotal),
    totalRelation: total > maxExactTotal ? "gte" : "eq",
    hasBefore: hasBefore && total > 0,
    changes,
  });
}

/** All its queries use the same snapshot. */
async function searchIndex(
  { build, websiteSearch }: Database,
  snapshot: ReadConnection,
  match: WebsiteMatch,
  { scan, size }: { readonly scan: SearchScan; readonly size: number },
): Promise<Omit<SearchResult, "changes">> {
  const before = scan.bound === undefined ? [] : [{ ...reverseScan(scan), sortBy: scan.sortBy, limit: 1 }];
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
  const page = found.flatMap((id) => byId.get(id) ?? []);
  return { rows: page.map(({ website }) => website), numbers: page.map(({ version }) => version), total, hasBefore };
}
