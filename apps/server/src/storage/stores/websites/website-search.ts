import { maxExactTotal } from "@siteward/contract";
import type { Kysely } from "kysely";
import type { Database } from "../../database/database.ts";
import type { WebsiteMatch } from "../../dialects/dialect.ts";
import type { WebsiteList, WebsiteListRequest } from "../../storage.ts";
import type { Schema } from "../../tables/schema.ts";
import { toListPage } from "./list-page.ts";
import { type ListScan, reverseScan, toListScan } from "./list-scan.ts";
import { toSearchTerm } from "./search-term.ts";
import { hasPassword, toWebsite, type WebsiteRow, websiteColumns } from "./website-row.ts";

type SearchRequest = WebsiteListRequest & { readonly search: string };

/** Lists the websites whose domain holds the term. Its queries all see the same state of the database. */
export function prepareWebsiteSearch(
  database: Database,
): (accountId: number, request: SearchRequest) => Promise<WebsiteList> {
  return async (accountId, request) => {
    const term = toSearchTerm(request.search);
    if (term === undefined) return nothing();
    const match = { accountId, term };
    return database.reading(({ read }) =>
      read
        .transaction()
        .setAccessMode("read only")
        .setIsolationLevel("repeatable read")
        .execute((snapshot) => search(database, snapshot, match, request)),
    );
  };
}

async function search(
  { websiteSearch }: Database,
  snapshot: Kysely<Schema>,
  match: WebsiteMatch,
  { sortBy, perPage, ...request }: SearchRequest,
): Promise<WebsiteList> {
  const count = await websiteSearch.count(snapshot, match, maxExactTotal + 1);
  if (count === 0) return nothing();
  const isDense = count > maxExactTotal;
  const scan = toListScan({ sortBy, perPage, ...request });
  const find = ({ order, bound, offset }: ListScan, limit: number) =>
    websiteSearch.find(snapshot, match, { sortBy, order, bound, offset, limit, isDense });
  const ids = await find(scan, perPage + 1);
  const hasOther = scan.bound === undefined ? scan.offset > 0 : (await find(reverseScan(scan), 1)).length > 0;
  const page = toListPage(scan, { records: ids, perPage, hasOther });
  return {
    websites: (await findRows(snapshot, match.accountId, page.records)).map(toWebsite),
    total: Math.min(count, maxExactTotal),
    totalRelation: isDense ? "gte" : "eq",
    hasPrevious: page.hasPrevious,
    hasNext: page.hasNext,
  };
}

function nothing(): WebsiteList {
  return { websites: [], total: 0, totalRelation: "eq", hasPrevious: false, hasNext: false };
}

/** Reads the records in the order of the ids. */
async function findRows(snapshot: Kysely<Schema>, accountId: number, ids: readonly number[]): Promise<WebsiteRow[]> {
  if (ids.length === 0) return [];
  const rows = await snapshot
    .selectFrom("websites")
    .select(websiteColumns)
    .select(hasPassword().as("has_password"))
    .where("account_id", "=", accountId)
    .where("id", "in", ids)
    .execute();
  const rowById = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => rowById.get(id) ?? []);
}
