import { type RawBuilder, sql } from "kysely";
import { containsTerm, inOrder, isWithin, type MatchRange, type WebsiteMatch } from "../../tables/website-match.ts";
import type { ReadConnection } from "../connection.ts";
import type { FoundMatches, RangeSearch, WebsiteSearchIndex } from "../website-search-index.ts";
import { indexedMatches } from "./indexed-matches.ts";
import { isInside } from "./is-inside.ts";
import { comparingSearch, indexedSearch } from "./search-small-accounts.ts";
import { lastPlace, type Matches, minWalk, page, toMaxWalk, walk, walkFromFirst } from "./walk-matches.ts";

/**
 * Searches with the index, if it exists, which is checked once. Without it, searches with a pattern. If so many records match that a
 * scan finds enough of them soon, records are read in order instead. The choice does not depend on the engine's statistics: they
 * contain nothing about a single account, so the engine might read all accounts because it expects many matches.
 */
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
    async find(connection, match, search) {
      const all = (await isIndexed(connection)) ? indexedMatches(match) : scannedMatches(match);
      return find(connection, { ...match, all }, search);
    },
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

/** How many matches are kept to count and to sort them, unless a walk has not found enough. 50,000 take 50 ms. */
const maxKept = 50_000;

async function find(connection: ReadConnection, matches: Matches, search: RangeSearch): Promise<FoundMatches> {
  const { ranges, max, size } = search;
  const sampled = await countInSample(connection, matches);
  const expected = (size * sampled) / sampleSize;
  // The walk reads this many records for the page, if matches are as common everywhere as in the sample.
  const isShort = (range: MatchRange) => (lastPlace(range) * size) / expected < toMaxWalk(range, expected) / 2;
  if (!ranges.every(isShort)) {
    const found = await sortAll(connection, matches, { ...search, limit: sql`limit ${sql.lit(maxKept)}` });
    if (found.total < maxKept) return { ...found, total: Math.min(found.total, max) };
  }
  const ids = await walk(connection, matches, ranges, Math.max(expected, minWalk));
  if (ids !== undefined) return { total: await count(connection, matches, { max, sampled }), ids };
  const found =
    (await walkFromFirst(connection, matches, ranges)) ??
    (await sortAll(connection, matches, { ranges, limit: sql`` }));
  return { ...found, total: Math.min(found.total, max) };
}

/** How many of the oldest websites show how common a term is. Reading them takes 0.2 ms. */
const sampleSize = 1_000;

async function countInSample(connection: ReadConnection, match: WebsiteMatch): Promise<number> {
  const [counted] = await connection.read(sql<{ total: number }>`
    select count(*) as total from (${oldestWebsites(match, sampleSize)}) as websites
    where ${containsTerm(isInside, match)}`);
  return counted?.total ?? 0;
}

/**
 * Reads the records in the order in which they are stored: an index-only scan does not help if other records on their pages were
 * changed recently.
 */
function oldestWebsites({ accountId }: WebsiteMatch, count: number): RawBuilder<unknown> {
  return sql`select domain, unicode_domain from websites where account_id = ${accountId} order by id limit ${sql.lit(count)}`;
}

/** Reads the index once: finds all matches first, so that the engine never scans the account to find them. */
async function sortAll(
  connection: ReadConnection,
  { all }: Matches,
  { ranges, limit }: { readonly ranges: readonly MatchRange[]; readonly limit: RawBuilder<unknown> },
): Promise<FoundMatches> {
  const found = ranges.map(
    (range) => sql`(select ${inArray(range)} from (
      select id, domain from matches where ${isWithin(range)} ${page(range)}
    ) as page)`,
  );
  const [read] = await connection.read(sql<FoundMatches>`
    with matches as materialized (${all} ${limit})
    select (select count(*) from matches) as total, json_build_array(${sql.join(found)}) as ids`);
  return read ?? { total: 0, ids: [] };
}

/** With at least this many matches in the sample, reading records in order is faster than the index. */
const commonInSample = 250;
/** How many records are read to count matches that are common in the sample, in case they are rare elsewhere. */
const maxCountWalk = 100_000;

async function count(
  connection: ReadConnection,
  { all, ...match }: Matches,
  { max, sampled }: { readonly max: number; readonly sampled: number },
): Promise<number> {
  const byIndex = sql<{ total: number }>`select count(*) as total from (${all} limit ${sql.lit(max)}) as matches`;
  // Planning a query of the index takes as long as the walk, so it is not part of the same statement.
  for (const query of sampled < commonInSample ? [byIndex] : [countByWalk(match, max), byIndex]) {
    const [counted] = await connection.read(query);
    if (counted !== undefined) return counted.total;
  }
  return 0;
}

/** Finds no row if the walk ends before it has found enough. */
function countByWalk(match: WebsiteMatch, max: number): RawBuilder<{ total: number }> {
  return sql`
    select count(*) as total from (
      select 1 from (${oldestWebsites(match, maxCountWalk)}) as websites
      where ${containsTerm(isInside, match)} limit ${sql.lit(max)}
    ) as matches having count(*) = ${sql.lit(max)}`;
}

function inArray(range: MatchRange): RawBuilder<unknown> {
  return sql`coalesce(json_agg(id ${inOrder(range)}), '[]')`;
}
