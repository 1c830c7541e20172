import { type RawBuilder, sql } from "kysely";
import type { ReadConnection } from "../connection.ts";
import type { SearchedColumn, WebsiteMatch, WebsiteMatchRange, WebsiteSearchIndex } from "../website-search-index.ts";
import { containsTerm, isInside } from "./contains-term.ts";

/**
 * Searches with an inverted index of the parts of one to three characters of each domain, each with its account in front, and
 * another one of the Unicode forms. The engine maintains them. If so many records match that a scan finds enough of them soon,
 * records are read in order instead. The choice does not depend on the engine's statistics: they contain nothing about a single
 * account, so the engine might read all accounts because it expects many matches.
 */
export const indexedSearch: Pick<WebsiteSearchIndex, "count" | "find"> = {
  /** Few accounts have Unicode forms. A query of both columns takes 0.3 ms longer, so the first one says if it is needed. */
  async count(connection, match, max) {
    const [first, ...others] = match.columns;
    const isMore = others.length === 0 ? sql`false` : hasUnicode(match);
    const counted = await count(connection, { ...match, columns: [first] }, { max, isMore });
    if (!counted.isMore) return { total: counted.total, columns: [first] };
    const all = counted.total >= max ? counted : await count(connection, match, { max, isMore: sql`false` });
    return { total: all.total, columns: match.columns };
  },

  async find(connection, match, range) {
    const [found] = await connection.read(sql<{ ids: string[] }>`
      select coalesce(${findByWalk(match, range)}, ${findByIndex(match, range)}) as ids`);
    return found?.ids.map(Number) ?? [];
  },
};

interface Counted {
  readonly total: number;
  readonly isMore: boolean;
}

async function count(
  connection: ReadConnection,
  match: WebsiteMatch,
  { max, isMore }: { readonly max: number; readonly isMore: RawBuilder<unknown> },
): Promise<Counted> {
  const [counted] = await connection.read(sql<Counted>`
    select least(${max}, coalesce(
      case when read < ${sql.lit(sampleSize)} then matches
        when matches >= ${sql.lit(commonInSample)} then ${countByWalk(match, max)} end,
      ${countByIndex(match, max)}
    )) as total, ${isMore} as "isMore" from ${sample(match)} as sample`);
  return counted ?? { total: 0, isMore: false };
}

/** Whether the account has a Unicode form. Finds the first one: to find just any, the engine may read the entire table. */
function hasUnicode({ accountId }: WebsiteMatch): RawBuilder<unknown> {
  return sql`(select domain from websites where account_id = ${accountId} and unicode_domain is not null
    order by domain limit 1) is not null`;
}

/** How many records are read to estimate how common matches are. */
const sampleSize = 1_001;
/** With at least this many matches in the sample, reading records in order is faster than the index. */
const commonInSample = 250;
/** How many records are read to count matches that are common in the sample, in case they are rare elsewhere. */
const maxCountWalk = 100_000;

/**
 * Reads only indexes in domain order, in which the domains of an account are adjacent. Websites with a Unicode form have an
 * index of their own.
 */
function sample(match: WebsiteMatch): RawBuilder<unknown> {
  const samples = match.columns.map((column) => {
    const exists = column === "domain" ? sql`true` : sql`unicode_domain is not null`;
    return sql`select count(*) as read, count(*) filter (where ${isFound(column, match)}) as matches from (
      select domain, unicode_domain from websites where account_id = ${match.accountId} and ${exists}
      order by domain limit ${sql.lit(sampleSize)}
    ) as first`;
  });
  if (samples.length === 1) return sql`(${unionAll(samples)})`;
  return sql`(select max(read) as read, sum(matches)::bigint as matches from (${unionAll(samples)}) as samples)`;
}

/**
 * Null if the walk ends before it has found enough. A subquery whose result is not needed does not run. Reads the records in
 * the order in which they are stored: an index-only scan does not help if other records on their pages were changed recently.
 */
function countByWalk(match: WebsiteMatch, max: number): RawBuilder<unknown> {
  return sql`(
    select max(${max}::int) from (
      select 1 from (
        select domain, unicode_domain from websites where account_id = ${match.accountId}
        order by id limit ${sql.lit(maxCountWalk)}
      ) as websites where ${containsTerm(match)} limit ${sql.lit(max)}
    ) as matches having count(*) = ${max}
  )`;
}

function countByIndex(match: WebsiteMatch, max: number): RawBuilder<unknown> {
  return sql`(select count(*) from (select 1 from (${matches(match)}) as found limit ${sql.lit(max)}) as matches)`;
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
    with websites as materialized (${matches(match)})
    select ${inArray(range)} from (
      select id, domain from websites where ${within(range)} ${page(range)}
    ) as websites
  )`;
}

/** All records of the range in order, with and without a match. */
function records({ accountId }: WebsiteMatch, range: WebsiteMatchRange): RawBuilder<unknown> {
  return sql`select id, domain, unicode_domain from websites
    where account_id = ${accountId} and ${within(range)} ${inOrder(range)}`;
}

/**
 * All records that match, in a form for which the engine can use the indexes. The condition on the account alone also lets it
 * find the records without the index of parts.
 */
function matches(match: WebsiteMatch): RawBuilder<unknown> {
  const found = match.columns.map(
    (column) => sql`select id, domain from websites where account_id = ${match.accountId}
      and website_grams(account_id, ${sql.ref(column)}) @> ${toGrams(match)}::text[] and ${isFound(column, match)}`,
  );
  return unionAll(found);
}

/** The condition that a record is found in a column. If both columns match, it is found in the first one only. */
function isFound(column: SearchedColumn, match: WebsiteMatch): RawBuilder<unknown> {
  const [first] = match.columns;
  return column === first ? isInside(column, match) : sql`${isInside(column, match)} and not ${isInside(first, match)}`;
}

function unionAll(queries: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(queries, sql` union all `);
}

/** The longest parts of a term that the index contains. */
function toGrams({ accountId, term }: WebsiteMatch): string[] {
  const characters = [...term];
  const count = Math.max(characters.length - 2, 1);
  return Array.from({ length: count }, (_, start) => `${accountId}:${characters.slice(start, start + 3).join("")}`);
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
