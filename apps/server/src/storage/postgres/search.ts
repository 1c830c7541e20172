import { maxExactTotal } from "@siteward/contract";
import type { ReadConnection } from "../engine/connection.ts";
import { firstRows, joinSql, listNames, type Sql, sql } from "../engine/statement.ts";
import type { LargeSearch, SmallSearch, WebsiteSearchIndex } from "../engine/website-search-index.ts";
import { containsTerm, type IsInside, inOrder, isWithin, type SearchedColumns } from "../tables/website-match.ts";

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
    async searchLarge(connection) {
      if (!(await isIndexed(connection))) return toLargeSearch(scannedMatches);
      return toLargeSearch((columns) => indexedMatches(columns, isDistributed ? onItsNode : sql`true`));
    },
  };
}

async function hasIndex({ read }: ReadConnection): Promise<boolean> {
  return (await read(sql`select 1 where to_regclass('websites_unicode_search') is not null`)).length > 0;
}

const ofAccount = sql`account_id = :accountId`;
/** Citus finds the node of a query by the account that it names, also as another type. No index of the node has that one. */
const onItsNode = sql`account_id = :accountId::numeric`;

/**
 * The pattern is made in the query: once, and not for each record. `strpos` takes a third longer. A term has no character with a special
 * meaning in a pattern.
 */
const isInside: IsInside = (column) => sql`${column} like (select '%' || :term || '%')`;

/** On an engine that does not support our index. Such an engine may have its own index for patterns. */
function scannedMatches(columns: SearchedColumns): Sql {
  return sql`select id, domain from websites where ${ofAccount} and ${containsTerm(isInside, columns)}`;
}

/** @param matches returns a query for the ids and domains of all matches */
function toLargeSearch(matches: LargeSearch["matches"]): LargeSearch {
  return {
    count: (columns, max) => sql`select count(*)::int as total from (
      select 1 from (${matches(columns)}) as matches limit ${max}) as counted`,
    matches,
    matchesById: undefined,
    // In order of domain it reads no ids, so that the index of domains is enough.
    list: (columns, range, size) => sql`select ${listNames([...new Set([range.sortBy, ...columns])])} from websites
      where ${ofAccount} and ${isWithin(range)} ${inOrder(range)} ${firstRows(size)}`,
    isListedMatch: (columns) => containsTerm(isInside, columns),
    listedId: ({ sortBy }) =>
      sql`(select id from websites where ${ofAccount} and websites.${sortBy} = listed.${sortBy})`,
    valuesOf,
  };
}

function valuesOf(accountId: number, term: string) {
  return { parts: toGrams(accountId, term) };
}

const indexedSearch: SmallSearch = { matches: indexedMatches, valuesOf };

/**
 * More websites than a small account has, and than matches of a large one are sorted. It only tells the engine, which makes one plan for
 * all accounts, that it will read few.
 */
const limit = sql`limit ${maxExactTotal + 1}`;

/**
 * Compares all websites of the account, on an engine that does not support our index, or that finds the node of a query by the account that
 * it names. The order keeps the engine from reading all accounts because it expects many websites in this one.
 */
const comparingSearch: SmallSearch = {
  matches: (columns, isSmall) => sql`select id, domain from (
      select id, domain, unicode_domain from websites where ${ofAccount} order by id ${limit}
    ) as compared where ${isSmall} and ${containsTerm(isInside, columns)}`,
  valuesOf: () => ({}),
};

/**
 * Finds the matches with an index for each column. If both match, a record is found in the first one only. All parts of the index contain
 * the account. If the query named the account, the engine would read the whole account from another index where accounts have few websites
 * on average, and compute the parts of each: an account that had outgrown its neighbours was searched in 3 s instead of 0.1.
 *
 * The engine expects to find 1 of 200 websites in the index, of all accounts, and 1 of 200 of these to match. It would ignore the limit, and
 * with 8 million websites compile the query for each search. With `coalesce`, it expects every second one to match.
 */
function indexedMatches(columns: SearchedColumns, condition: Sql): Sql {
  const found = columns.map((column, index) => {
    const before = columns.slice(0, index).map((other) => sql`and not ${isInside(other)}`);
    return sql`(select id, domain from websites where ${condition} and website_grams(account_id, ${column}) @> :parts::text[]
      and coalesce(${isInside(column)} ${joinSql(before, sql` `)}, false) ${limit})`;
  });
  return joinSql(found, sql` union all `);
}

/** The longest parts of a term that the index contains. */
function toGrams(accountId: number, term: string): string[] {
  const characters = [...term];
  const count = Math.max(characters.length - 2, 1);
  return Array.from({ length: count }, (_, start) => `${accountId}:${characters.slice(start, start + 3).join("")}`);
}

/**
 * The search index, of the ASCII and of the Unicode forms of domains. A website without a Unicode form is not in the second one, and
 * costs nothing. Some engines that speak the protocol do not support functions in an index. There, search uses a pattern.
 *
 * A search reads all records that are not yet merged into the index, so `gin_pending_list_limit` keeps them few. Without
 * statistics, the engine assumes that any part of a domain is rare, and uses the index. The function is not marked as parallel
 * safe, because a parallel plan takes longer to start than a search takes. Written in SQL, it would take two thirds longer.
 */
export const postgresSearchIndex = [
  sql`create function website_grams(account_id bigint, domain text) returns text[]
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
  sql`create index websites_search on websites using gin (website_grams(account_id, domain))
  with (gin_pending_list_limit = 256)`,
  sql`alter index websites_search alter column 1 set statistics 0`,
  sql`create index websites_unicode_search on websites using gin (website_grams(account_id, unicode_domain))
  with (gin_pending_list_limit = 256) where unicode_domain is not null`,
  sql`alter index websites_unicode_search alter column 1 set statistics 0`,
];
