import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ReadConnection } from "../engine/connection.ts";
import type { LargeSearch, SmallSearch, WebsiteSearchIndex } from "../engine/website-search-index.ts";
import {
  containsTerm,
  type IsInside,
  inOrder,
  isWithin,
  type SearchedColumns,
  type WebsiteMatch,
} from "../tables/website-match.ts";

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

/** The pattern is made in the query: once, and not for each record. `strpos` takes a third longer. */
const isInsidePrepared: IsInside = (column, term) => sql`${sql.ref(column)} like (select '%' || ${term} || '%')`;

/** More websites than a small account has. It only tells the engine, which makes one plan for all accounts, that it will read few. */
const limit = sql`limit 10000`;

/**
 * Finds the matches with the index. All its parts contain the account. If the query named the account, the engine would also read the
 * whole account from another index where accounts have few websites on average.
 *
 * The engine expects to find 1 of 200 websites in the index, of all accounts, and 1 of 200 of these to match. It would ignore the limit, and
 * with 8 million websites compile the query for each search. With `coalesce`, it expects every second one to match.
 */
const indexedSearch: SmallSearch = {
  partsOf: toGrams,
  matchesOf: ({ parts, isSmall, ...match }) =>
    inEachColumn(match, isInsidePrepared, (column, isMatch) => {
      const hasGrams = sql`website_grams(account_id, ${column}) @> ${parts}::text[]`;
      return sql`(select id, domain from websites where ${isSmall} and ${hasGrams} and coalesce(${isMatch}, false) ${limit})`;
    }),
};

/**
 * Compares all websites of the account, on an engine that does not support our index, or that finds the node of a query by the account that
 * it names. The order keeps the engine from reading all accounts because it expects many websites in this one.
 */
const comparingSearch: SmallSearch = {
  partsOf: () => [],
  matchesOf: ({ isSmall, ...match }) => {
    const compared = sql`select id, domain, unicode_domain from websites
      where account_id = ${match.accountId} order by id ${limit}`;
    return sql`select id, domain from (${compared}) as compared where ${isSmall} and ${containsTerm(isInsidePrepared, match)}`;
  },
};

/**
 * A query for the ids and domains of all websites that match, in a form for which the engine can use the inverted indexes of the
 * parts of one to three characters of each domain and of each Unicode form, each with its account in front. The engine maintains
 * them. The condition on the account alone also lets it find the records without these indexes.
 */
function indexedMatches({ accountId, term, columns }: WebsiteMatch): RawBuilder<unknown> {
  return inEachColumn({ columns, term }, isInside, (column, isMatch) => {
    const hasGrams = sql`website_grams(account_id, ${column}) @> ${toGrams(accountId, term)}::text[]`;
    return sql`select id, domain from websites where account_id = ${accountId} and ${hasGrams} and ${isMatch}`;
  });
}

/** Searches with an index for each column. If both columns match, a record is found in the first one only. */
function inEachColumn(
  { columns, term }: { readonly columns: SearchedColumns; readonly term: string },
  isInside: IsInside,
  search: (column: RawBuilder<unknown>, isMatch: RawBuilder<SqlBool>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const found = columns.map((column, index) => {
    const before = columns.slice(0, index).map((other) => sql`and not ${isInside(other, term)}`);
    return search(sql.ref(column), sql`${isInside(column, term)} ${sql.join(before, sql` `)}`);
  });
  return sql.join(found, sql` union all `);
}

/** The longest parts of a term that the index contains. */
function toGrams(accountId: number, term: string): string[] {
  const characters = [...term];
  const count = Math.max(characters.length - 2, 1);
  return Array.from({ length: count }, (_, start) => `${accountId}:${characters.slice(start, start + 3).join("")}`);
}

/** A term has no character with a special meaning in a pattern. The engine knows the pattern when it chooses a plan. */
const isInside: IsInside = (column, term) => sql`${sql.ref(column)} like ${`%${term}%`}`;

/**
 * The search index, of the ASCII and of the Unicode forms of domains. A website without a Unicode form is not in the second one, and
 * costs nothing. Some engines that speak the protocol do not support functions in an index. There, search uses a pattern.
 *
 * A search reads all records that are not yet merged into the index, so `gin_pending_list_limit` keeps them few. Without
 * statistics, the engine assumes that any part of a domain is rare, and uses the index. The function is not marked as parallel
 * safe, because a parallel plan takes longer to start than a search takes. Written in SQL, it would take two thirds longer.
 */
export const postgresSearchIndex = [
  `create function website_grams(account_id bigint, domain text) returns text[]
      language plpgsql immutable strict as $$
        declare
          account text := account_id::text || ':';
          grams text[] := '{}';
        begin
          for start in 1 .. length(domain) loop
            grams := grams || array[
              account || substr(domain, start, 1), account || substr(domain, start, 2), account || substr(domain, start, 3)
            ];
          end loop;
          return grams;
        end
      $$`,
  `create index websites_search on websites using gin (website_grams(account_id, domain))
  with (gin_pending_list_limit = 256)`,
  "alter index websites_search alter column 1 set statistics 0",
  `create index websites_unicode_search on websites using gin (website_grams(account_id, unicode_domain))
  with (gin_pending_list_limit = 256) where unicode_domain is not null`,
  "alter index websites_unicode_search alter column 1 set statistics 0",
];
