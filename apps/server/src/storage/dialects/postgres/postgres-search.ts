import { type RawBuilder, sql } from "kysely";
import { containsTerm, inOrder, isWithin, type MatchRange, type WebsiteMatch } from "../../tables/website-match.ts";
import type { ReadConnection } from "../connection.ts";
import type { FoundMatches, RangeSearch, WebsiteSearchIndex } from "../website-search-index.ts";
import { indexedMatches } from "./indexed-matches.ts";
import { isInside } from "./is-inside.ts";

/** Reading them takes 0.2 ms. */
const sampleSize = 1_000;

/**
 * Searches with the index, if it exists, which is checked once. Without it, searches with a pattern. If so many records match that a
 * scan finds enough of them soon, records are read in order instead. The choice does not depend on the engine's statistics: they
 * contain nothing about a single account, so the engine might read all accounts because it expects many matches.
 */
export function createPostgresSearch(): WebsiteSearchIndex {
  let isIndexed: boolean | undefined;
  return {
    // The query is prepared, so the pattern is made in it: once, and not for each record. `strpos` takes a third longer.
    isInside: (column, term) => sql`${sql.ref(column)} like (select '%' || ${term} || '%')`,
    sampleSize,
    // The engine maintains its indexes by itself.
    async add() {},
    async load() {},
    async remove() {},
    async removeRange() {},
    async find(connection, match, search) {
      isIndexed ??= await hasIndex(connection);
      return find(connection, { ...match, all: isIndexed ? indexedMatches(match) : scannedMatches(match) }, search);
    },
  };
}

async function hasIndex(connection: ReadConnection): Promise<boolean> {
  const found = await connection.read(sql`select 1 where to_regclass('websites_unicode_search') is not null`);
  return found.length > 0;
}

interface Matches extends WebsiteMatch {
  /** A query for the ids and domains of all websites that match. */
  readonly all: RawBuilder<unknown>;
}

/** On an engine that does not support our index. Such an engine may have its own index for patterns. */
function scannedMatches(match: WebsiteMatch): RawBuilder<unknown> {
  return sql`select id, domain from websites where account_id = ${match.accountId} and ${containsTerm(isInside, match)}`;
}

/** How many matches are kept to count and to sort them, unless a walk has not found enough. 50,000 take 50 ms. */
const maxKept = 50_000;

async function find(connection: ReadConnection, matches: Matches, search: RangeSearch): Promise<FoundMatches> {
  const { ranges, max, sampled, size } = search;
  const expected = (size * sampled) / sampleSize;
  // The walk reads this many records for the page, if matches are as common everywhere as in the sample.
  const isShort = (range: MatchRange) => (lastPlace(range) * size) / expected < toMaxWalk(range, expected) / 2;
  if (!ranges.every(isShort)) {
    const found = await sortAll(connection, matches, { ...search, limit: sql`limit ${sql.lit(maxKept)}` });
    if (found.total < maxKept) return { ...found, total: Math.min(found.total, max) };
  }
  const ids = await walk(connection, matches, ranges, Math.max(expected, minWalk));
  if (ids !== undefined) return { total: await count(connection, matches, search), ids };
  const found = await sortAll(connection, matches, { ...search, limit: sql`` });
  return { ...found, total: Math.min(found.total, max) };
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

/** A walk reads at least this many records, which takes 0.2 ms. */
const minWalk = 1_000;
/** It reads at most this many, or this many for each record up to the end of the page. */
const maxWalk = { inAll: 100_000, perRecord: 10 } as const;

/**
 * How many records are read to find the page: as many as are expected to match. To find a match in the index and to sort it takes
 * five times as long as to read a record.
 */
function toMaxWalk(range: MatchRange, expected: number): number {
  return Math.ceil(Math.max(Math.min(expected, maxWalk.inAll), maxWalk.perRecord * lastPlace(range)));
}

function lastPlace({ offset, limit }: MatchRange): number {
  return offset + limit;
}

/**
 * Reads records in order until enough match. Undefined if it stops early, because all matches may be elsewhere. In order of domain it
 * reads no ids, so that the index of domains is enough: a search of 2 % of a million then takes 34 ms instead of 55.
 */
async function walk(
  connection: ReadConnection,
  match: WebsiteMatch,
  ranges: readonly MatchRange[],
  expected: number,
): Promise<FoundMatches["ids"] | undefined> {
  const walks = ranges.map((range) => {
    const key = sql.ref(range.sortBy);
    const columns = sql.join([...new Set([range.sortBy, ...match.columns])].map((column) => sql.ref(column)));
    const records = sql`select ${columns} from websites
      where account_id = ${match.accountId} and ${isWithin(range)} ${inOrder(range)}`;
    const most = sql.lit(toMaxWalk(range, expected));
    return sql`(
      select coalesce(json_agg((
        select id from websites as found where account_id = ${match.accountId} and found.${key} = page.${key}
      ) ${inOrder(range)}), '[]') from (
        select ${key} from (${records} limit ${most}) as walked where ${containsTerm(isInside, match)} ${page(range)}
      ) as page
      having count(*) = ${range.limit} or not exists (${records} limit 1 offset ${most})
    )`;
  });
  const [read] = await connection.read(sql<{ ids: (readonly number[] | null)[] }>`
    select json_build_array(${sql.join(walks)}) as ids`);
  const found = read?.ids.filter((ids) => ids !== null) ?? [];
  return found.length === ranges.length ? found : undefined;
}

/** With at least this many matches in the sample, reading records in order is faster than the index. */
const commonInSample = 250;
/** How many records are read to count matches that are common in the sample, in case they are rare elsewhere. */
const maxCountWalk = 100_000;

async function count(
  connection: ReadConnection,
  { all, ...match }: Matches,
  { max, sampled }: RangeSearch,
): Promise<number> {
  const byIndex = sql<{ total: number }>`select count(*) as total from (${all} limit ${sql.lit(max)}) as matches`;
  // Planning a query of the index takes as long as the walk, so it is not part of the same statement.
  for (const query of sampled < commonInSample ? [byIndex] : [countByWalk(match, max), byIndex]) {
    const [counted] = await connection.read(query);
    if (counted !== undefined) return counted.total;
  }
  return 0;
}

/**
 * Finds no row if the walk ends before it has found enough. Reads the records in the order in which they are stored: an index-only scan
 * does not help if other records on their pages were changed recently.
 */
function countByWalk(match: WebsiteMatch, max: number): RawBuilder<{ total: number }> {
  return sql`
    select count(*) as total from (
      select 1 from (
        select domain, unicode_domain from websites where account_id = ${match.accountId}
        order by id limit ${sql.lit(maxCountWalk)}
      ) as websites where ${containsTerm(isInside, match)} limit ${sql.lit(max)}
    ) as matches having count(*) = ${sql.lit(max)}`;
}

function page(range: MatchRange): RawBuilder<unknown> {
  return sql`${inOrder(range)} limit ${sql.lit(range.limit)} offset ${range.offset}`;
}

function inArray(range: MatchRange): RawBuilder<unknown> {
  return sql`coalesce(json_agg(id ${inOrder(range)}), '[]')`;
}
