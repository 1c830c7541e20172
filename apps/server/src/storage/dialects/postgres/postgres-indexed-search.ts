import { type RawBuilder, sql } from "kysely";
import type { WebsiteMatch, WebsiteMatchRange, WebsiteSearchIndex } from "../website-search-index.ts";

/**
 * Searches with an inverted index of the parts of one to three characters of each domain, each with its account in front. The
 * engine maintains it. If so many records match that a scan finds enough of them soon, records are read in order instead. The
 * choice does not depend on the engine's statistics: they contain nothing about a single account, so the engine might read all
 * accounts because it expects many matches.
 */
export const indexedSearch: Pick<WebsiteSearchIndex, "count" | "find"> = {
  async count(connection, match, max) {
    const [counted] = await connection.read(sql<{ total: number }>`
      select least(${max}, coalesce(
        case when read < ${sql.lit(sampleSize)} then matches
          when matches >= ${sql.lit(commonInSample)} then ${countByWalk(match, max)} end,
        ${countByIndex(match, max)}
      )) as total from ${sample(match)} as sample`);
    return counted?.total ?? 0;
  },

  async find(connection, match, range) {
    const [found] = await connection.read(sql<{ ids: string[] }>`
      select coalesce(${findByWalk(match, range)}, ${findByIndex(match, range)}) as ids`);
    return found?.ids.map(Number) ?? [];
  },
};

/** How many records are read to estimate how common matches are. */
const sampleSize = 1_001;
/** With at least this many matches in the sample, reading records in order is faster than the index. */
const commonInSample = 250;
/** How many records are read to count matches that are common in the sample, in case they are rare elsewhere. */
const maxCountWalk = 100_000;

/** Reads only the index of domains, in which the domains of an account are adjacent. */
function sample({ accountId, ...match }: WebsiteMatch): RawBuilder<unknown> {
  return sql`(
    select count(*) as read, count(*) filter (where ${containsTerm(match)}) as matches from (
      select domain from websites where account_id = ${accountId} order by domain limit ${sql.lit(sampleSize)}
    ) as first
  )`;
}

/**
 * Null if the walk ends before it has found enough. A subquery whose result is not needed does not run. Reads the records in
 * the order in which they are stored: an index-only scan does not help if other records on their pages were changed recently.
 */
function countByWalk({ accountId, ...match }: WebsiteMatch, max: number): RawBuilder<unknown> {
  return sql`(
    select max(${max}::int) from (
      select 1 from (
        select domain from websites where account_id = ${accountId} order by id limit ${sql.lit(maxCountWalk)}
      ) as websites where ${containsTerm(match)} limit ${sql.lit(max)}
    ) as matches having count(*) = ${max}
  )`;
}

function countByIndex(match: WebsiteMatch, max: number): RawBuilder<unknown> {
  return sql`(select count(*) from (select 1 from websites where ${matching(match)} limit ${sql.lit(max)}) as matches)`;
}

/**
 * How many records are read per match, and at least, to find enough matches. If it is not known that many match, the minimum
 * is so small that reading them takes no longer than a query of the index.
 */
const maxWalkPerMatch = 10;
const minMaxWalk = { dense: 10_000, other: 250 } as const;

/** Reads records in order until enough match. Null if it stops early, because all matches may be elsewhere. */
function findByWalk(match: WebsiteMatch, range: WebsiteMatchRange): RawBuilder<unknown> {
  const { dense, other } = minMaxWalk;
  const maxWalk = range.isDense ? Math.max(dense, maxWalkPerMatch * (range.offset + range.limit)) : other;
  const ids = sql`select id, domain from (${records(match, range)} limit ${sql.lit(maxWalk)}) as websites
    where ${containsTerm(match)} ${page(range)}`;
  const beyond = sql`${records(match, range)} limit 1 offset ${sql.lit(maxWalk)}`;
  return sql`(
    select ${inArray(range)} from (${ids}) as websites
    having count(*) = ${range.limit} or not exists (select 1 from (${beyond}) as beyond)
  )`;
}

/** Finds all matches first, so that the engine never scans the account to find them. */
function findByIndex(match: WebsiteMatch, range: WebsiteMatchRange): RawBuilder<unknown> {
  return sql`(
    with websites as materialized (select id, domain from websites where ${matching(match)})
    select ${inArray(range)} from (
      select id, domain from websites where ${within(range)} ${page(range)}
    ) as websites
  )`;
}

/** All records of the range in order, with and without a match. */
function records({ accountId }: WebsiteMatch, range: WebsiteMatchRange): RawBuilder<unknown> {
  return sql`select id, domain from websites where account_id = ${accountId} and ${within(range)} ${inOrder(range)}`;
}

/**
 * The condition that a record matches, in a form for which the engine can use the index. The condition on the account alone
 * also lets it find the records without the index.
 */
function matching(match: WebsiteMatch): RawBuilder<unknown> {
  return sql`account_id = ${match.accountId}
    and website_grams(account_id, domain) @> ${toGrams(match)}::text[] and ${containsTerm(match)}`;
}

/** The longest parts of a term that the index contains. */
function toGrams({ accountId, term }: WebsiteMatch): string[] {
  const count = Math.max(term.length - 2, 1);
  return Array.from({ length: count }, (_, start) => `${accountId}:${term.slice(start, start + 3)}`);
}

/** The term has no character with a special meaning in a pattern. */
function containsTerm({ term }: Pick<WebsiteMatch, "term">): RawBuilder<unknown> {
  return sql`domain like ${`%${term}%`}`;
}

function within({ sortBy, bound }: WebsiteMatchRange): RawBuilder<unknown> {
  return bound === undefined ? sql`true` : sql`${sql.ref(sortBy)} ${sql.raw(bound.operator)} ${bound.key}`;
}

function page(range: WebsiteMatchRange): RawBuilder<unknown> {
  return sql`${inOrder(range)} limit ${sql.lit(range.limit)} offset ${range.offset}`;
}

function inArray(range: WebsiteMatchRange): RawBuilder<unknown> {
  return sql`coalesce(array_agg(id ${inOrder(range)}), '{}')`;
}

function inOrder({ sortBy, order }: WebsiteMatchRange): RawBuilder<unknown> {
  return sql`order by ${sql.ref(sortBy)} ${sql.raw(order)}`;
}
