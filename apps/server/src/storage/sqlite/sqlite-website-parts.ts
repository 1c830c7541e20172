import type { WriteConnection } from "../engine/connection.ts";
import { joinSql, nameEach, prepared, type Sql, sql } from "../engine/statement.ts";
import type { IndexedWebsite } from "../engine/website-search-index.ts";

/**
 * How many ids form a block. Indexing a block takes 2 to 3 ms, and comparing the websites of an incomplete one with a
 * term at most 0.05 ms. Indexing them one at a time takes ten times as long, because the index then writes a segment
 * for each website and merges the segments later. Databases rely on this number: only a migration can change it.
 */
export const blockIds = 128;

const maxPartLength = 3;

/**
 * Adds the newest website of its account. Its block is indexed if the id is the last one of it. The blocks of each
 * account end at other ids. Otherwise a client that creates websites in many accounts in turn would complete all blocks
 * at the same time, in one batch.
 */
export async function addToIndex(transaction: WriteConnection, website: WebsiteId): Promise<void> {
  const { accountId, id } = website;
  if ((id + accountId) % blockIds === 0) await indexBlock(transaction, accountId, id);
  else await mergeSometimes(transaction, website);
}

interface WebsiteId {
  readonly accountId: number;
  readonly id: number;
}

/** Indexes the websites of the block that ends with this id. Some may already be indexed. */
async function indexBlock(transaction: WriteConnection, accountId: number, lastId: number): Promise<void> {
  // The first block of an account is shorter. Row ids below those of the account belong to another one.
  const range = { lowest: Math.max(1, lastId - blockIds + 1), highest: lastId };
  const websites = await transaction.read(selectBlock, { accountId, ...range });
  await removeFromIndex(transaction, accountId, range);
  // One statement for blocks of any length, so that it stays prepared.
  const entries = websites.map((website) => [website.account_id, website.id, toParts(website)]);
  await transaction.writeAtCommit(insertBlock, { entries: JSON.stringify(entries) });
}

const selectBlock = prepared<IndexedWebsite>(sql`select account_id, id, domain, unicode_domain from websites
  where account_id = :accountId and id between :lowest and :highest`);
const insertBlock = sql`insert into domain_parts (rowid, parts)
  select (value ->> 0) * 4294967296 + (value ->> 1), value ->> 2 from json_each(:entries)`;

/** How many pages a merge after a bulk write writes at most: as many as it wrote, at five levels. */
const bulkMergePages = 200;

/**
 * Indexes websites that are not indexed. A copy does that for many in one transaction, so statements do not wait for
 * its end, and segments are merged at once.
 */
export async function loadWebsites(transaction: WriteConnection, websites: readonly IndexedWebsite[]): Promise<void> {
  for (let start = 0; start < websites.length; start += rowsPerInsert) {
    const rows = websites.slice(start, start + rowsPerInsert);
    // One text for all rows, as that of a block, but without JSON.
    const texts = rows.map((_, row) => sql`(:id${2 * row}, :id${2 * row + 1})`);
    await transaction.write(
      sql`insert into domain_parts (rowid, parts) values ${joinSql(texts, sql`, `)}`,
      nameEach(
        "id",
        rows.flatMap((row) => [BigInt(row.account_id) * 4294967296n + BigInt(row.id), toParts(row)]),
      ).values,
    );
  }
  await transaction.write(merge(bulkMergePages));
}

/** Four for each chunk of a copy. Encoding 1,000 websites as JSON, as for a block, took as long as indexing them. */
const rowsPerInsert = 250;

export async function removeFromIndex(
  transaction: WriteConnection,
  accountId: number,
  range: { readonly lowest: number; readonly highest: number },
): Promise<void> {
  await transaction.writeAtCommit(removeRange, { accountId, ...range });
}

/** Every 16th id merges segments, so that this work is spread evenly over the creates that cause it. */
const mergeIds = 16;
/**
 * How many pages a merge writes at most. A block of ids writes 12 to 20 pages, and each of them is merged again at four
 * to six levels, so this is enough for all of them. A page takes about 0.08 ms.
 */
const mergePages = 10;

/**
 * Merges segments of the index, for at most 1.5 ms. FTS5 merges by itself only in the write that fills a level. With a
 * million websites it then merged 320 pages at once, which took 30 ms, and after a bulk load it did that in every 64th
 * create.
 */
export async function mergeSometimes(transaction: WriteConnection, { accountId, id }: WebsiteId): Promise<void> {
  if ((id + accountId) % mergeIds === 0) await transaction.writeAtCommit(merge(mergePages));
}

function merge(pages: number): Sql {
  return sql`insert into domain_parts (domain_parts, rank) values ('merge', ${pages})`;
}

/** Returns the longest parts of the term in order, as a quoted phrase. The term contains no quotation mark. */
export function toPhrase(accountId: number, term: string): string {
  const characters = toCharacters(term);
  return `"${listParts(accountId, characters, Math.min(characters.length, maxPartLength))}"`;
}

/**
 * Returns the text to index: every part of three characters in order, so that a phrase of them matches a longer part of
 * the domain, and then every shorter part. The parts of the Unicode form come after those of the domain. No phrase
 * matches parts of both, because shorter parts are between them.
 */
function toParts({ account_id: accountId, domain, unicode_domain: unicode }: Omit<IndexedWebsite, "id">): string {
  const parts = listForm(accountId, domain);
  return unicode === null ? parts : parts + listForm(accountId, unicode);
}

/** Lists a shorter part only once if the form is ASCII, as almost all are. The index is smaller then. */
function listForm(accountId: number, form: string): string {
  const characters = toCharacters(form);
  const isFirst = (part: string, start: number) => Array.isArray(characters) || form.indexOf(part) === start;
  const [pairs, singles] = [2, 1].map((length) => listParts(accountId, characters, length, isFirst));
  return `${listParts(accountId, characters, maxPartLength)}${pairs}${singles}`;
}

/** A string that is indexed by its characters. Strings of ASCII already are, and slicing them is faster. */
type Characters = string | readonly string[];

function toCharacters(text: string): Characters {
  return /\P{ASCII}/u.test(text) ? [...text] : text;
}

/** Concatenates strings, which takes a third as long as joining arrays. A domain contains no colon and no space. */
function listParts(
  accountId: number,
  characters: Characters,
  length: number,
  isListed: (part: string, start: number) => boolean = () => true,
): string {
  let parts = "";
  for (let start = 0; start + length <= characters.length; start += 1) {
    const slice = characters.slice(start, start + length);
    const part = typeof slice === "string" ? slice : slice.join("");
    if (isListed(part, start)) parts += `${accountId}:${part} `;
  }
  return parts;
}

/**
 * Parameters reach SQLite as floating-point numbers. FTS5 silently ignores a rowid bound that is not an integer, and
 * then reads the index from its beginning. The product is too large for a safe integer of JavaScript, so SQLite
 * computes it.
 */
export function rowidOf(id: Sql): Sql {
  return sql`(cast(:accountId as integer) * 4294967296 + cast(${id} as integer))`;
}

const removeRange = sql`delete from domain_parts where rowid between ${rowidOf(sql`:lowest`)} and ${rowidOf(sql`:highest`)}`;
