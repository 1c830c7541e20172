import { type Sql, sql } from "../engine/statement.ts";
import type { LargeSearch, SmallSearch, WebsiteSearchIndex } from "../engine/website-search-index.ts";
import {
  containsTerm,
  type IsInside,
  inOrder,
  isWithin,
  type MatchRange,
  type SearchedColumns,
} from "../tables/website-match.ts";
import {
  addToIndex,
  blockIds,
  loadWebsites,
  mergeSometimes,
  removeFromIndex,
  rowidOf,
  toPhrase,
} from "./sqlite-website-parts.ts";

/**
 * Searches with a contentless full-text index, updated in the transactions that change websites. It contains the parts
 * of one to three characters of each domain, and of its Unicode form if it has another one. Every part has its account
 * in front, so what a search reads, and how long it takes, does not depend on the domains of other accounts. A record's
 * rowid combines the ids of its account and its website, so a search reads in order of id, starting at any id.
 *
 * The websites of an account are indexed in blocks of 128 ids, by the create of the last id of the block. A search
 * compares the term with the domains of the websites after the last complete block. The index may contain some of them
 * too, which a search ignores.
 */
export const sqliteWebsiteSearch: WebsiteSearchIndex = {
  add: addToIndex,
  load: loadWebsites,
  async remove(transaction, website) {
    const { accountId, id } = website;
    await removeFromIndex(transaction, accountId, { lowest: id, highest: id });
    await mergeSometimes(transaction, website);
  },
  removeRange: removeFromIndex,
  searchSmall: () => Promise.resolve(comparison),
  searchLarge: () => Promise.resolve(indexed),
};

/** With `like`, SQLite compiles a statement again for each term. */
const isInside: IsInside = (column) => sql`instr(${column}, :term) > 0`;

/**
 * Compares all websites. With the index, a search that finds 19 of 1,000 would take twice as long. SQLite checks other conditions for each
 * record, but looks up no account that is null. In order of id, matches need not be sorted: if all of 1,000 match, it is 0.2 instead of 0.35 ms.
 */
const comparison: SmallSearch = {
  matches: (columns, isSmall) => sql`select id, domain from websites
      where account_id = case when ${isSmall} then :accountId end and ${containsTerm(isInside, columns)} order by id`,
  valuesOf: () => ({}),
};

/**
 * The last id of the account's last complete block (see `addToIndex`), or less than 1. Null if the account does not
 * exist, so that nothing matches.
 */
const lastIndexedId = sql`(
    select last_website_id - (last_website_id + id) % ${blockIds} from accounts where id = :accountId)`;

/** The condition that a record of the index matches, is in a complete block of this account, and is within the bounds. */
const isIndexedMatch = sql`domain_parts match :phrase and rowid between ${rowidOf(sql`:lowest`)}
    and min(${rowidOf(sql`:highest`)}, ${rowidOf(sql`0`)} + ${lastIndexedId})`;

/** The condition that a website matches, comes after the last complete block, and is within the bounds. */
function isRecentMatch(columns: SearchedColumns): Sql {
  // With two lower bounds, SQLite would read the range of only one of them.
  return sql`account_id = :accountId and id > max(${lastIndexedId}, :lowest - 1) and id <= :highest
    and ${containsTerm(isInside, columns)}`;
}

const indexed: LargeSearch = {
  count: (columns, max) => sql`select count(*) as total from (
    select 1 from domain_parts where ${isIndexedMatch}
    union all select 1 from websites where ${isRecentMatch(columns)} limit ${max})`,

  // A cross join keeps SQLite from scanning the account in order.
  matches: (columns) => sql`
    select websites.id as id, websites.domain as domain from domain_parts cross join websites
    on websites.account_id = :accountId and websites.id = domain_parts.rowid - ${rowidOf(sql`0`)}
    where ${isIndexedMatch}
    union all select id, domain from websites where ${isRecentMatch(columns)}`,

  // SQLite merges both parts, which it reads in this order.
  matchesById: (columns, { order, limit }) => sql`select place - ${rowidOf(sql`0`)} as id from (
    select rowid as place from domain_parts where ${isIndexedMatch}
    union all select ${rowidOf(sql`0`)} + id from websites where ${isRecentMatch(columns)}
    order by place ${order} limit ${limit} offset :offset)`,

  /**
   * Reads only an index. SQLite does not know that the index of the unique constraint contains ids, and would read each
   * record: 10,000 domains then take 20 to 50 ms instead of 1. Only websites with a Unicode form, which have an index
   * of their own, can contain a term that is not ASCII.
   */
  list([first], range, size) {
    const isUnicode = first === "unicode_domain";
    return sql`select domain${isUnicode ? sql`, unicode_domain` : sql``} from websites
      where account_id = :accountId ${isUnicode ? sql`and unicode_domain is not null` : sql``} and ${isWithin(range)}
      ${inOrder(range)} limit ${size}`;
  },

  isListedMatch: ([first, other]) =>
    sql`(instr(listed.${first}, :term) > 0 ${other === undefined ? sql`` : sql`or ${isInUnicode}`})`,

  listedId: () => sql`(select id from websites where account_id = :accountId and domain = listed.domain)`,
  valuesOf: (accountId, term, range) => ({ phrase: toPhrase(accountId, term), ...idRange(range) }),
};

/** The index of all domains does not contain Unicode forms, so each is looked up. */
const isInUnicode = sql`instr(listed.domain, 'xn--') > 0 and instr((
    select unicode_domain from websites
    where account_id = :accountId and domain = listed.domain and unicode_domain is not null
  ), :term) > 0`;

const maxId = 2 ** 32 - 1;

/** Returns the range of ids within the bound. It never leaves the account: higher and lower rowids belong to other accounts. */
function idRange(range: MatchRange | undefined): { lowest: number; highest: number } {
  const bound = range?.sortBy === "id" ? range.bound : undefined;
  if (typeof bound?.key !== "number") return { lowest: 0, highest: maxId };
  const { operator, key } = bound;
  const edge = operator === ">" ? key + 1 : operator === "<" ? key - 1 : key;
  return operator.startsWith(">")
    ? { lowest: Math.min(Math.max(edge, 0), maxId + 1), highest: maxId }
    : { lowest: 0, highest: Math.max(Math.min(edge, maxId), -1) };
}
