import { maxExactTotal } from "@siteward/contract";
import { toSearchTerm, type VersionedWebsite, type WebsiteList, type WebsiteListRequest } from "@siteward/service";
import type { Database, ReadConnection, WebsiteMatch } from "../../database/database.ts";
import { select } from "../../database/select.ts";
import { toListPage } from "./list-page.ts";
import { type ListScan, reverseScan, toListScan } from "./list-scan.ts";
import { searchedColumns } from "./searched-columns.ts";
import { versionedWebsite } from "./versioned-website.ts";

type SearchRequest = WebsiteListRequest & { readonly search: string };

/** Lists the websites whose domain contains the term. All its queries use the same snapshot. */
export function prepareWebsiteSearch(
  database: Database,
): (accountId: number, request: SearchRequest) => Promise<WebsiteList> {
  return async (accountId, request) => {
    const term = toSearchTerm(request.search);
    if (term === undefined) return nothing();
    const match = { accountId, term, columns: searchedColumns(term) };
    return database.readUpToDate((reader) => reader.snapshot((snapshot) => search(database, snapshot, match, request)));
  };
}

async function search(
  database: Database,
  snapshot: ReadConnection,
  searched: WebsiteMatch,
  { sortBy, perPage, ...request }: SearchRequest,
): Promise<WebsiteList> {
  const { websiteSearch } = database;
  const { total: count, columns } = await websiteSearch.count(snapshot, searched, maxExactTotal + 1);
  if (count === 0) return nothing();
  const match = { ...searched, columns };
  const isDense = count > maxExactTotal;
  const scan = toListScan({ sortBy, perPage, ...request });
  const find = ({ order, bound, offset }: ListScan, limit: number) =>
    websiteSearch.find(snapshot, match, { sortBy, order, bound, offset, limit, matches: count, isDense });
  const ids = await find(scan, perPage + 1);
  const hasBefore = scan.bound === undefined ? scan.offset > 0 : (await find(reverseScan(scan), 1)).length > 0;
  const page = toListPage(scan, { records: ids, perPage, hasBefore });
  const found = await findWebsites(database, snapshot, { accountId: match.accountId, ids: page.records });
  return {
    websites: found.map(({ website }) => website),
    versions: found.map(({ version }) => version),
    total: Math.min(count, maxExactTotal),
    totalRelation: isDense ? "gte" : "eq",
    hasPrevious: page.hasPrevious,
    hasNext: page.hasNext,
  };
}

function nothing(): WebsiteList {
  return { websites: [], versions: [], total: 0, totalRelation: "eq", hasPrevious: false, hasNext: false };
}

/** Reads the records in the order of the ids. */
async function findWebsites(
  { build }: Database,
  snapshot: ReadConnection,
  { accountId, ids }: { readonly accountId: number; readonly ids: readonly number[] },
): Promise<VersionedWebsite[]> {
  if (ids.length === 0) return [];
  const rows = build.selectFrom("websites").where("account_id", "=", accountId).where("id", "in", ids);
  const found = await snapshot.read(select(versionedWebsite, rows));
  const foundById = new Map(found.map((versioned) => [versioned.website.id, versioned]));
  return ids.flatMap((id) => foundById.get(id) ?? []);
}
