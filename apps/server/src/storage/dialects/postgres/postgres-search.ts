import { type RawBuilder, sql } from "kysely";
import { containsTerm, inOrder, isWithin, type WebsiteMatch } from "../../tables/website-match.ts";
import type { ReadConnection } from "../connection.ts";
import type { LargeSearch, WebsiteSearchIndex } from "../website-search-index.ts";
import { indexedMatches } from "./indexed-matches.ts";
import { isInside } from "./is-inside.ts";
import { comparingSearch, indexedSearch } from "./search-small-accounts.ts";

/** Searches with the index, if it exists, which is checked once. Without it, searches with a pattern. */
export function createPostgresSearch({ isDistributed }: { readonly isDistributed: boolean }): WebsiteSearchIndex {
  let isKnownIndexed: boolean | undefined;
  const isIndexed = async (connection: ReadConnection) => (isKnownIndexed ??= await hasIndex(connection));
  return {
    searchSmall: async (connection) =>
      !isDistributed && (await isIndexed(connection)) ? indexedSearch : comparingSearch,
    // The engine maintains its indexes by itself.
    async add() {},
    async load() {},
    async remove() {},
    async removeRange() {},
    searchLarge: async (connection) => toLargeSearch((await isIndexed(connection)) ? indexedMatches : scannedMatches),
  };
}

async function hasIndex(connection: ReadConnection): Promise<boolean> {
  const found = await connection.read(sql`select 1 where to_regclass('websites_unicode_search') is not null`);
  return found.length > 0;
}

/** On an engine that does not support our index. Such an engine may have its own index for patterns. */
function scannedMatches(match: WebsiteMatch): RawBuilder<unknown> {
  return sql`select id, domain from websites where account_id = ${match.accountId} and ${containsTerm(isInside, match)}`;
}

/** @param matches returns a query for the ids and domains of all matches */
function toLargeSearch(matches: LargeSearch["matches"]): LargeSearch {
  return {
    count: (match, max) =>
      sql`select count(*)::int as total from (select 1 from (${matches(match)}) as matches limit ${sql.lit(max)}) as counted`,
    matches,
    matchesById: undefined,
    // In order of domain it reads no ids, so that the index of domains is enough.
    list({ accountId, columns }, range, size) {
      const read = [...new Set([range.sortBy, ...columns])].map((column) => sql.ref(column));
      return sql`select ${sql.join(read)} from websites where account_id = ${accountId} and ${isWithin(range)}
        ${inOrder(range)} limit ${sql.lit(size)}`;
    },
    isListedMatch: (match) => containsTerm(isInside, match),
    listedId: ({ accountId }, { sortBy }) =>
      sql`(select id from websites where account_id = ${accountId} and ${sql.ref(`websites.${sortBy}`)} = ${sql.ref(`listed.${sortBy}`)})`,
  };
}
