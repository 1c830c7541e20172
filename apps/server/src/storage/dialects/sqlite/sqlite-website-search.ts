import { type RawBuilder, sql } from "kysely";
import { containsTerm, inOrder, isWithin, type WebsiteMatch } from "../../tables/website-match.ts";
import type { ReadConnection } from "../connection.ts";
import type { SmallSearch, WebsiteSearchIndex } from "../website-search-index.ts";
import { findCluster } from "./sqlite-website-cluster.ts";
import { type CountedRange, isIndexedMatch, isInside, isRecentMatch } from "./sqlite-website-conditions.ts";
import { scanDomains } from "./sqlite-website-domains.ts";
import { indexBlock, isBlockEnd, loadWebsites, mergeSometimes, removeFromIndex } from "./sqlite-website-parts.ts";
import { rowidOf } from "./website-parts.ts";

/**
 * Searches with a contentless full-text index, updated in the transactions that change websites. It contains the parts of one
 * to three characters of each domain, and of its Unicode form if it has another one. Every part has its account in front, so
 * what a search reads, and how long it takes, does not depend on the domains of other accounts. A record's rowid combines the
 * ids of its account and its website, so a search reads in order of id, starting at any id.
 *
 * The websites of an account are indexed in blocks of 128 ids, by the create of the last id of the block. A search compares
 * the term with the domains of the websites after the last complete block. The index may contain some of them too, which a
 * search ignores.
 */
export const sqliteWebsiteSearch: WebsiteSearchIndex = {
  async add(transaction, { accountId, id }) {
    if (isBlockEnd({ accountId, id })) await indexBlock(transaction, accountId, id);
    else await mergeSometimes(transaction, { accountId, id });
  },

  load: loadWebsites,

  async remove(transaction, { accountId, id }) {
    await removeFromIndex(transaction, accountId, { lowest: id, highest: id });
    await mergeSometimes(transaction, { accountId, id });
  },

  removeRange: removeFromIndex,

  searchSmall: () => Promise.resolve(comparison),

  async find(connection, match, { ranges, max }) {
    const indexed = sql`select 1 from domain_parts where ${isIndexedMatch(match)}`;
    const recent = sql`select 1 from websites where ${isRecentMatch(match)}`;
    const [counted] = await connection.read(sql<{ total: number }>`
      select count(*) as total from (${indexed} union all ${recent} limit ${sql.lit(max)})`);
    const { total = 0 } = counted ?? {};
    const ids: number[][] = [];
    for (const range of total === 0 ? [] : ranges) {
      const find = range.sortBy === "id" ? findById : walkDomains;
      ids.push(await find(connection, match, { ...range, matches: total < max ? total : undefined }));
    }
    return { total, ids };
  },
};

/**
 * Compares all websites. With the index, a search that finds 19 of 1,000 would take twice as long. SQLite checks other conditions for each
 * record, but looks up no account that is null. In order of id, matches need not be sorted: if all of 1,000 match, it is 0.2 instead of 0.35 ms.
 */
const comparison: SmallSearch = {
  partsOf: () => [],
  matchesOf: ({ isSmall, ...match }) => sql`select id, domain from websites
    where account_id = case when ${isSmall} then ${match.accountId} end and ${containsTerm(isInside, match)} order by id`,
};

/** The ids of the account after its last complete block come after all indexed ones. */
async function findById(connection: ReadConnection, match: WebsiteMatch, range: CountedRange): Promise<number[]> {
  const { order, offset, limit } = range;
  const recent = await findRecent(connection, match, range);
  if (order === "desc") {
    const first = recent.slice(offset, offset + limit);
    const rest = { ...range, offset: Math.max(0, offset - recent.length), limit: limit - first.length };
    return rest.limit === 0 ? first : [...first, ...(await findIndexed(connection, match, rest))];
  }
  const first = await findIndexed(connection, match, range);
  if (first.length === limit || recent.length === 0) return first;
  const before =
    first.length > 0 || offset === 0 ? offset + first.length : await countIndexed(connection, match, range);
  const skipped = Math.max(0, offset - before);
  return [...first, ...recent.slice(skipped, skipped + limit - first.length)];
}

async function findIndexed(connection: ReadConnection, match: WebsiteMatch, range: CountedRange): Promise<number[]> {
  const rows = await connection.read(sql<{ id: number }>`
    select rowid - ${rowidOf(match.accountId, 0)} as id from domain_parts where ${isIndexedMatch(match, range)}
    order by rowid ${sql.raw(range.order)} limit ${sql.lit(range.limit)} offset ${range.offset}`);
  return toIds(rows);
}

async function countIndexed(connection: ReadConnection, match: WebsiteMatch, range: CountedRange): Promise<number> {
  const [counted] = await connection.read(sql<{ total: number }>`select count(*) as total from (
    select 1 from domain_parts where ${isIndexedMatch(match, range)} limit ${range.offset})`);
  return counted?.total ?? 0;
}

async function findRecent(connection: ReadConnection, match: WebsiteMatch, range: CountedRange): Promise<number[]> {
  const rows = await connection.read(sql<{ id: number }>`
    select id from websites where ${isRecentMatch(match, range)} ${inOrder(range)}`);
  return toIds(rows);
}

/** Sorts all matches, which are few. A cross join keeps SQLite from scanning the account in domain order. */
async function findByDomain(connection: ReadConnection, match: WebsiteMatch, range: CountedRange): Promise<number[]> {
  const id = sql`domain_parts.rowid - ${rowidOf(match.accountId, 0)}`;
  const rows = await connection.read(sql<{ id: number }>`
    select websites.id as id, websites.domain as domain
    from domain_parts cross join websites on websites.account_id = ${match.accountId} and websites.id = ${id}
    where ${isIndexedMatch(match)} and ${isWithin(range)}
    union all select id, domain from websites where ${isRecentMatch(match)} and ${isWithin(range)}
    ${inOrder(range)} limit ${sql.lit(range.limit)} offset ${range.offset}`);
  return toIds(rows);
}

/** How many domains are read for each match of the account, if not too many match to count them. 10,000 take 1 ms. */
const walkPerMatch = 2;
/** How many domains are read if more match: for each record that the page needs, and at least. */
const denseWalk = { perRecord: 10, atLeast: 20_000 } as const;

/**
 * Reads domains in order until enough match. If it stops early because the matches are elsewhere, searches only the part of the
 * list in which all of them are. If they are all over the list, sorts them.
 */
async function walkDomains(connection: ReadConnection, match: WebsiteMatch, range: CountedRange): Promise<number[]> {
  const maxWalk =
    range.matches === undefined
      ? Math.max(denseWalk.atLeast, denseWalk.perRecord * (range.offset + range.limit))
      : range.matches * walkPerMatch;
  const { candidates, columns } = scanDomains(match);
  const domains = sql`select ${columns} from websites where ${candidates} and ${isWithin(range)}
    ${inOrder(range)}`;
  const found = await findWalked(connection, match, { domains: sql`${domains} limit ${maxWalk}`, range });
  if (found.length === range.limit) return found;
  const beyond = await connection.read(sql`${domains} limit 1 offset ${maxWalk}`);
  if (beyond.length === 0) return found;
  const cluster = await findCluster(connection, match, {
    indexed: isIndexedMatch(match),
    recent: isRecentMatch(match),
    matches: range.matches,
  });
  if (cluster === undefined) return findByDomain(connection, match, range);
  const near = sql`select ${columns} from websites where ${candidates} and ${isWithin(range)}
    and domain between ${cluster.lowest} and ${cluster.highest} ${inOrder(range)}`;
  return findWalked(connection, match, { domains: sql`${near} limit -1`, range });
}

/**
 * SQLite cannot merge an inner query that has a limit into the outer one, so the outer query keeps its order. The walk reads no
 * ids: SQLite does not know that the index of the unique constraint contains them, and would read each record. 10,000 domains
 * then take 20 to 50 ms instead of 1.
 */
async function findWalked(
  connection: ReadConnection,
  match: WebsiteMatch,
  { domains, range }: { readonly domains: RawBuilder<unknown>; readonly range: CountedRange },
): Promise<number[]> {
  const rows = await connection.read(sql<{ id: number }>`
    select (select id from websites where account_id = ${match.accountId} and domain = walked.domain) as id from (
      select domain from (${domains}) as listed where ${scanDomains(match).isMatch}
      limit ${sql.lit(range.limit)} offset ${range.offset}
    ) as walked`);
  return toIds(rows);
}

function toIds(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
