import { sql } from "kysely";
import { containsTerm, type IsInside } from "../../tables/website-match.ts";
import type { SmallSearch } from "../website-search-index.ts";
import { inEachColumn, toGrams } from "./indexed-matches.ts";

/** The pattern is made in the query: once, and not for each record. `strpos` takes a third longer. */
const isInside: IsInside = (column, term) => sql`${sql.ref(column)} like (select '%' || ${term} || '%')`;

/** More websites than a small account has. It only tells the engine, which makes one plan for all accounts, that it will read few. */
const limit = sql`limit 10000`;

/**
 * Finds the matches with the index. All its parts contain the account. If the query named the account, the engine would also read the
 * whole account from another index where accounts have few websites on average.
 *
 * The engine expects to find 1 of 200 websites in the index, of all accounts, and 1 of 200 of these to match. It would ignore the limit, and
 * with 8 million websites compile the query for each search. With `coalesce`, it expects every second one to match.
 */
export const indexedSearch: SmallSearch = {
  partsOf: toGrams,
  matchesOf: ({ parts, isSmall, ...match }) =>
    inEachColumn(match, isInside, (column, isMatch) => {
      const hasGrams = sql`website_grams(account_id, ${column}) @> ${parts}::text[]`;
      return sql`(select id, domain from websites where ${isSmall} and ${hasGrams} and coalesce(${isMatch}, false) ${limit})`;
    }),
};

/**
 * Compares all websites of the account, on an engine that does not support our index, or that finds the node of a query by the account that
 * it names. The order keeps the engine from reading all accounts because it expects many websites in this one.
 */
export const comparingSearch: SmallSearch = {
  partsOf: () => [],
  matchesOf: ({ isSmall, ...match }) => {
    const compared = sql`select id, domain, unicode_domain from websites
      where account_id = ${match.accountId} order by id ${limit}`;
    return sql`select id, domain from (${compared}) as compared where ${isSmall} and ${containsTerm(isInside, match)}`;
  },
};
