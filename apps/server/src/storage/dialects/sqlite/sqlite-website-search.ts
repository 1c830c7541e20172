import { type RawBuilder, sql } from "kysely";
import type { ReadConnection } from "../connection.ts";
import type { WebsiteMatch, WebsiteMatchRange, WebsiteSearchIndex } from "../website-search-index.ts";

/**
 * Searches with a contentless full-text index, updated in the transactions that change websites. It contains the parts of one
 * to three characters of each domain. Every part has its account in front, so what a search reads, and how long it takes, does
 * not depend on the domains of other accounts. A record's rowid combines the ids of its account and its website, so a search
 * reads in order of id, starting at any id.
 */
export const sqliteWebsiteSearch: WebsiteSearchIndex = {
  async add(transaction, { accountId, id, domain }) {
    const parts = toParts(accountId, domain);
    await transaction.writeAtCommit(
      sql`insert into website_parts (rowid, parts) values (${rowidOf(accountId, id)}, ${parts})`,
    );
  },

  async remove(transaction, { accountId, id }) {
    await transaction.writeAtCommit(sql`delete from website_parts where rowid = ${rowidOf(accountId, id)}`);
  },

  async count(connection, match, max) {
    const matches = sql`select 1 from website_parts where ${matching(match)} limit ${max}`;
    const [counted] = await connection.read(sql<{ total: number }>`select count(*) as total from (${matches})`);
    return counted?.total ?? 0;
  },

  find(connection, match, range) {
    if (range.sortBy === "id") return findById(connection, match, range);
    return range.isDense ? walkDomains(connection, match, range) : findByDomain(connection, match, range);
  },
};

async function findById(connection: ReadConnection, match: WebsiteMatch, range: WebsiteMatchRange): Promise<number[]> {
  const rows = await connection.read(sql<{ id: number }>`
    select rowid - ${rowidOf(match.accountId, 0)} as id from website_parts where ${matching(match, range)}
    order by rowid ${direction(range)} limit ${range.limit} offset ${range.offset}`);
  return toIds(rows);
}

/** Sorts all matches, which are few. A cross join keeps SQLite from scanning the account in domain order. */
async function findByDomain(
  connection: ReadConnection,
  match: WebsiteMatch,
  range: WebsiteMatchRange,
): Promise<number[]> {
  const id = sql`website_parts.rowid - ${rowidOf(match.accountId, 0)}`;
  const rows = await connection.read(sql<{ id: number }>`
    select websites.id from website_parts cross join websites on websites.account_id = ${match.accountId} and websites.id = ${id}
    where ${matching(match)} and ${withinDomains(range)}
    order by websites.domain ${direction(range)} limit ${range.limit} offset ${range.offset}`);
  return toIds(rows);
}

/** How many domains are read per match, and at least, to find enough matches. */
const maxWalkPerMatch = 10;
const minMaxWalk = 10_000;

/**
 * Reads domains in order until enough match. If it stops early because the matches are elsewhere, all matches are sorted
 * instead. SQLite cannot merge an inner query that has a limit into the outer one, so the outer query keeps its order.
 */
async function walkDomains(
  connection: ReadConnection,
  match: WebsiteMatch,
  range: WebsiteMatchRange,
): Promise<number[]> {
  const maxWalk = Math.max(minMaxWalk, maxWalkPerMatch * (range.offset + range.limit));
  const domains = sql`select id, domain from websites where account_id = ${match.accountId} and ${withinDomains(range)}
    order by domain ${direction(range)}`;
  const rows = await connection.read(sql<{ id: number }>`
    select id from (${domains} limit ${maxWalk})
    where instr(domain, ${match.term}) > 0 limit ${range.limit} offset ${range.offset}`);
  if (rows.length === range.limit) return toIds(rows);
  const beyond = await connection.read(sql`${domains} limit 1 offset ${maxWalk}`);
  return beyond.length === 0 ? toIds(rows) : findByDomain(connection, match, range);
}

/** The condition that a record of the index matches, belongs to this account and is within the bounds. */
function matching(match: WebsiteMatch, range?: WebsiteMatchRange): RawBuilder<unknown> {
  const { lowest, highest } = idRange(range);
  const { accountId, term } = match;
  return sql`website_parts match ${toPhrase(accountId, term)}
    and rowid between ${rowidOf(accountId, lowest)} and ${rowidOf(accountId, highest)}`;
}

const maxId = 2 ** 32 - 1;

/** Returns the range of ids within the bound. It never leaves the account: higher and lower rowids belong to other accounts. */
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
 * Parameters reach SQLite as floating-point numbers. FTS5 silently ignores a rowid bound that is not an integer, and then reads
 * the index from its beginning. The product is too large for a safe integer of JavaScript, so SQLite computes it.
 */
function rowidOf(accountId: number, id: number): RawBuilder<number> {
  return sql<number>`(cast(${accountId} as integer) * 4294967296 + cast(${id} as integer))`;
}

function direction({ order }: WebsiteMatchRange): RawBuilder<unknown> {
  return sql.raw(order);
}

/** The length of the longest parts. */
const maxPartLength = 3;

/** Returns the longest parts of the term in order, as a quoted phrase. The term contains no quotation mark. */
function toPhrase(accountId: number, term: string): string {
  return `"${listParts(accountId, term, Math.min(term.length, maxPartLength))}"`;
}

/**
 * Returns the text to index: every part of three characters in order, so that a phrase of them matches a longer part of the
 * domain, and then every shorter part once. The migration to version 2 writes the same for existing websites.
 */
function toParts(accountId: number, domain: string): string {
  const isFirst = (part: string, start: number) => domain.indexOf(part) === start;
  const [pairs, characters] = [2, 1].map((length) => listParts(accountId, domain, length, isFirst));
  return `${listParts(accountId, domain, maxPartLength)}${pairs}${characters}`;
}

/** Concatenates strings, which takes a third as long as joining arrays. A domain contains no colon and no space. */
function listParts(
  accountId: number,
  text: string,
  length: number,
  isListed: (part: string, start: number) => boolean = () => true,
): string {
  let parts = "";
  for (let start = 0; start + length <= text.length; start += 1) {
    const part = text.slice(start, start + length);
    if (isListed(part, start)) parts += `${accountId}:${part} `;
  }
  return parts;
}

function toIds(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
