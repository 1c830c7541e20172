import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { Schema } from "../schema.ts";
import type { WebsiteMatch, WebsiteMatchRange, WebsiteSearchIndex } from "./dialect.ts";

/**
 * One inverted index, which the engine keeps by itself: of the account, the trigrams of the domain, and its parts of one
 * and two characters, which are too short for trigrams. The engine's statistics tell it whether to read the index or, where
 * so much matches that enough is found soon, records in order.
 */
export const postgresWebsiteSearch: WebsiteSearchIndex = {
  async add() {},

  async remove() {},

  async count(connection, match, max) {
    const matches = sql`select 1 from websites where ${matching(match)} limit ${max}`;
    const { rows } = await sql<{ total: number }>`select count(*) as total from (${matches}) as matches`.execute(
      connection,
    );
    return rows[0]?.total ?? 0;
  },

  find(connection, match, range) {
    return range.isDense ? walk(connection, match, range) : findAmongMatches(connection, match, range);
  },
};

/** Extensions come with PostgreSQL; the owner of a database may make them. */
export async function createWebsiteSearch(transaction: Transaction<Schema>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(transaction);
  await sql`create extension if not exists btree_gin`.execute(transaction);
  await sql`create function website_grams(domain text) returns text[]
    language sql immutable strict parallel safe
    return array(
      select distinct substr(domain, start, length) from generate_series(1, length(domain)) as start, generate_series(1, 2) as length
    )`.execute(transaction);
  await sql`create index websites_search on websites
    using gin (account_id, domain gin_trgm_ops, website_grams(domain))`.execute(transaction);
}

/** Finds all matches first, of which there are few, so that the engine never reads the account in order to find them. */
async function findAmongMatches(
  connection: Kysely<Schema>,
  match: WebsiteMatch,
  range: WebsiteMatchRange,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with websites as materialized (select id, domain from websites where ${matching(match)})
    select id from websites where ${within(range)} ${page(range)}`.execute(connection);
  return toIds(rows);
}

/** How many records are looked at in the hope of matches, before the engine chooses how to find them. */
const maxWalk = 10_000;

/** Reads records in order until enough match. Where the matches all lie elsewhere, it gives up. */
async function walk(connection: Kysely<Schema>, match: WebsiteMatch, range: WebsiteMatchRange): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id, domain from websites where account_id = ${match.accountId} and ${within(range)}
      order by ${sortKey(range)} ${direction(range)} limit ${maxWalk}
    ) as websites where ${holding(match)} ${page(range)}`.execute(connection);
  return rows.length === range.limit ? toIds(rows) : findInOrder(connection, match, range);
}

async function findInOrder(
  connection: Kysely<Schema>,
  match: WebsiteMatch,
  range: WebsiteMatchRange,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from websites where ${matching(match)} and ${within(range)} ${page(range)}`.execute(connection);
  return toIds(rows);
}

/** The condition that a record of the account is a match, as the index knows it. */
function matching(match: WebsiteMatch): RawBuilder<unknown> {
  const { accountId, term } = match;
  const isMatch = term.length < 3 ? sql`website_grams(domain) @> array[${term}::text]` : holding(match);
  return sql`account_id = ${accountId} and ${isMatch}`;
}

/** The term holds no character that means something in a pattern. */
function holding({ term }: WebsiteMatch): RawBuilder<unknown> {
  return sql`domain like ${`%${term}%`}`;
}

function within({ sortBy, bound }: WebsiteMatchRange): RawBuilder<unknown> {
  return bound === undefined ? sql`true` : sql`${sql.ref(sortBy)} ${sql.raw(bound.operator)} ${bound.key}`;
}

function page(range: WebsiteMatchRange): RawBuilder<unknown> {
  return sql`order by ${sortKey(range)} ${direction(range)} limit ${range.limit} offset ${range.offset}`;
}

function sortKey({ sortBy }: WebsiteMatchRange): RawBuilder<unknown> {
  return sql.ref(sortBy);
}

function direction({ order }: WebsiteMatchRange): RawBuilder<unknown> {
  return sql.raw(order);
}

function toIds(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
