import { type RawBuilder, sql } from "kysely";
import type { WriteConnection } from "../connection.ts";
import type { IndexedWebsite } from "../website-search-index.ts";
import { rowidOf, toParts } from "./website-parts.ts";

/**
 * How many ids form a block. Indexing a block takes 2 to 3 ms, and comparing the websites of an incomplete one with a term at
 * most 0.05 ms. Indexing them one at a time takes ten times as long, because the index then writes a segment for each website
 * and merges the segments later. Databases rely on this number: only a migration can change it.
 */
export const blockIds = 128;

/**
 * Whether the id is the last one of a block. The blocks of each account end at other ids. Otherwise a client that creates
 * websites in many accounts in turn would complete all blocks at the same time, in one batch.
 */
export function isBlockEnd({ accountId, id }: { readonly accountId: number; readonly id: number }): boolean {
  return (id + accountId) % blockIds === 0;
}

/** Indexes the websites of the block that ends with this id. Some may already be indexed. */
export async function indexBlock(transaction: WriteConnection, accountId: number, lastId: number): Promise<void> {
  // The first block of an account is shorter. Row ids below those of the account belong to another one.
  const range = { lowest: Math.max(1, lastId - blockIds + 1), highest: lastId };
  const websites = await transaction.read(
    transaction.build
      .selectFrom("websites")
      .select(["account_id as accountId", "id", "domain", "unicode_domain as unicodeDomain"])
      .where("account_id", "=", accountId)
      .where("id", ">=", range.lowest)
      .where("id", "<=", range.highest),
  );
  await removeFromIndex(transaction, accountId, range);
  // One statement for blocks of any length, so that it stays prepared.
  const entries = websites.map((website) => [website.accountId, website.id, toParts(website)]);
  await transaction.writeAtCommit(sql`insert into domain_parts (rowid, parts)
    select ${rowidOfEntry}, value ->> 2 from json_each(${JSON.stringify(entries)})`);
}

const rowidOfEntry = sql`(value ->> 0) * 4294967296 + (value ->> 1)`;

/** How many pages a merge after a bulk write writes at most: as many as it wrote, at five levels. */
const bulkMergePages = 200;

/**
 * Indexes websites that are not indexed. A copy does that for many in one transaction, so statements do not wait for its
 * end, and segments are merged at once.
 */
export async function loadWebsites(transaction: WriteConnection, websites: readonly IndexedWebsite[]): Promise<void> {
  for (let start = 0; start < websites.length; start += rowsPerInsert) {
    const rows = websites.slice(start, start + rowsPerInsert).map((website) => {
      return sql`(${rowidOf(website.accountId, website.id)}, ${toParts(website)})`;
    });
    await transaction.write(sql`insert into domain_parts (rowid, parts) values ${sql.join(rows)}`);
  }
  await transaction.write(merge(bulkMergePages));
}

/** Four for each chunk of a copy. Encoding 1,000 websites as JSON, as for a block, took as long as indexing them. */
const rowsPerInsert = 250;

export async function removeFromIndex(
  transaction: WriteConnection,
  accountId: number,
  { lowest, highest }: { readonly lowest: number; readonly highest: number },
): Promise<void> {
  await transaction.writeAtCommit(sql`delete from domain_parts
    where rowid between ${rowidOf(accountId, lowest)} and ${rowidOf(accountId, highest)}`);
}

/** Every 16th id merges segments, so that this work is spread evenly over the creates that cause it. */
const mergeIds = 16;
/**
 * How many pages a merge writes at most. A block of ids writes 12 to 20 pages, and each of them is merged again at four to six
 * levels, so this is enough for all of them. A page takes about 0.08 ms.
 */
const mergePages = 10;

/**
 * Merges segments of the index, for at most 1.5 ms. FTS5 merges by itself only in the write that fills a level. With a million
 * websites it then merged 320 pages at once, which took 30 ms, and after a bulk load it did that in every 64th create.
 */
export async function mergeSometimes(
  transaction: WriteConnection,
  { accountId, id }: { readonly accountId: number; readonly id: number },
): Promise<void> {
  if ((id + accountId) % mergeIds !== 0) return;
  await transaction.writeAtCommit(merge(mergePages));
}

function merge(pages: number): RawBuilder<unknown> {
  return sql`insert into domain_parts (domain_parts, rank) values ('merge', ${sql.lit(pages)})`;
}
