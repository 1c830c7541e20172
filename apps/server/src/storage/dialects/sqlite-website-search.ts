import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { Schema } from "../schema.ts";
import type { WebsiteMatch, WebsiteMatchRange, WebsiteSearchIndex } from "./dialect.ts";

/**
 * Two full-text indexes without content of their own, kept in the transactions that change websites. In both a record's
 * rowid is its account's id and its own, so that a search reads one account's part of an index, in order of id.
 */
export const sqliteWebsiteSearch: WebsiteSearchIndex = {
  async add(transaction, { accountId, id, domain }) {
    const rowid = rowidOf(accountId, id);
    await sql`insert into website_trigrams (rowid, domain) values (${rowid}, ${domain})`.execute(transaction);
    await sql`insert into website_grams (rowid, grams) values (${rowid}, ${toGrams(domain)})`.execute(transaction);
  },

  async remove(transaction, { accountId, id }) {
    const rowid = rowidOf(accountId, id);
    await sql`delete from website_trigrams where rowid = ${rowid}`.execute(transaction);
    await sql`delete from website_grams where rowid = ${rowid}`.execute(transaction);
  },

  async count(connection, match, max) {
    const matches = sql`select 1 from ${indexOf(match)} where ${matching(match)} limit ${max}`;
    const { rows } = await sql<{ total: number }>`select count(*) as total from (${matches})`.execute(connection);
    return rows[0]?.total ?? 0;
  },

  find(connection, match, range) {
    if (range.sortBy === "id") return findById(connection, match, range);
    return range.isDense ? walkDomains(connection, match, range) : findByDomain(connection, match, range);
  },
};

/** Trigrams find terms of three characters and more; for shorter ones there is a list of parts that long. */
export async function createWebsiteSearch(transaction: Transaction<Schema>): Promise<void> {
  await sql`create virtual table website_trigrams using fts5 (
    domain, tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1
  )`.execute(transaction);
  await sql`create virtual table website_grams using fts5 (
    grams, tokenize = "ascii tokenchars '.-'", content = '', contentless_delete = 1, detail = none
  )`.execute(transaction);
}

async function findById(connection: Kysely<Schema>, match: WebsiteMatch, range: WebsiteMatchRange): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select rowid - ${rowidOf(match.accountId, 0)} as id from ${indexOf(match)} where ${matching(match, range)}
    order by rowid ${direction(range)} limit ${range.limit} offset ${range.offset}`.execute(connection);
  return toIds(rows);
}

/** Sorts all matches, of which there are few. A cross join keeps SQLite from reading the account in domain order. */
async function findByDomain(
  connection: Kysely<Schema>,
  match: WebsiteMatch,
  range: WebsiteMatchRange,
): Promise<number[]> {
  const index = indexOf(match);
  const id = sql`${index}.rowid - ${rowidOf(match.accountId, 0)}`;
  const { rows } = await sql<{ id: number }>`
    select websites.id from ${index} cross join websites on websites.account_id = ${match.accountId} and websites.id = ${id}
    where ${matching(match)} and ${withinDomains(range)}
    order by websites.domain ${direction(range)} limit ${range.limit} offset ${range.offset}`.execute(connection);
  return toIds(rows);
}

/** How many domains are looked at for each match, and at least, in the hope of enough. */
const maxWalkPerMatch = 10;
const minMaxWalk = 10_000;

/**
 * Reads domains in order until enough match. Where the matches all lie elsewhere, it gives up, and all are sorted instead.
 * SQLite cannot merge a limited query into one around it, so the order of the inner one holds for the outer.
 */
async function walkDomains(
  connection: Kysely<Schema>,
  match: WebsiteMatch,
  range: WebsiteMatchRange,
): Promise<number[]> {
  const maxWalk = Math.max(minMaxWalk, maxWalkPerMatch * (range.offset + range.limit));
  const domains = sql`select id, domain from websites where account_id = ${match.accountId} and ${withinDomains(range)}
    order by domain ${direction(range)}`;
  const { rows } = await sql<{ id: number }>`
    select id from (${domains} limit ${maxWalk})
    where instr(domain, ${match.term}) > 0 limit ${range.limit} offset ${range.offset}`.execute(connection);
  if (rows.length === range.limit) return toIds(rows);
  const { rows: beyond } = await sql`${domains} limit 1 offset ${maxWalk}`.execute(connection);
  return beyond.length === 0 ? toIds(rows) : findByDomain(connection, match, range);
}

/** The condition that a record of the index is a match, of this account and within the bounds. */
function matching(match: WebsiteMatch, range?: WebsiteMatchRange): RawBuilder<unknown> {
  const { lowest, highest } = idRange(range);
  const { accountId, term } = match;
  // The term holds no quotation mark, so in these it is a phrase: its trigrams in a row, which is the term itself.
  return sql`${indexOf(match)} match ${`"${term}"`}
    and rowid between ${rowidOf(accountId, lowest)} and ${rowidOf(accountId, highest)}`;
}

const maxId = 2 ** 32 - 1;

/** The ids within the bound, and within the account in any case: beyond lie the rowids of other accounts. */
function idRange(range: WebsiteMatchRange | undefined): { lowest: number; highest: number } {
  const bound = range?.bound;
  if (typeof bound?.key !== "number") return { lowest: 0, highest: maxId };
  const { operator, key } = bound;
  if (operator === ">" || operator === ">=") {
    const lowest = operator === ">" ? key + 1 : key;
    return { lowest: Math.min(Math.max(lowest, 0), maxId + 1), highest: maxId };
  }
  const highest = operator === "<" ? key - 1 : key;
  return { lowest: 0, highest: Math.max(Math.min(highest, maxId), -1) };
}

function withinDomains({ bound }: WebsiteMatchRange): RawBuilder<unknown> {
  return bound === undefined ? sql`true` : sql`websites.domain ${sql.raw(bound.operator)} ${bound.key}`;
}

/**
 * Numbers reach SQLite as floating point. FTS5 silently ignores a rowid bound that is not an integer, and then reads the
 * index from its beginning; the product passes what a JavaScript number holds, so SQLite computes it.
 */
function rowidOf(accountId: number, id: number): RawBuilder<number> {
  return sql<number>`(cast(${accountId} as integer) * 4294967296 + cast(${id} as integer))`;
}

function indexOf({ term }: WebsiteMatch): RawBuilder<unknown> {
  return sql.table(term.length < 3 ? "website_grams" : "website_trigrams");
}

function direction({ order }: WebsiteMatchRange): RawBuilder<unknown> {
  return sql.raw(order);
}

/** Every part of one or two characters, once. */
function toGrams(domain: string): string {
  const grams = new Set<string>();
  for (let start = 0; start < domain.length; start += 1) {
    grams.add(domain.slice(start, start + 1));
    grams.add(domain.slice(start, start + 2));
  }
  return [...grams].join(" ");
}

function toIds(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
