import { sql } from "kysely";
import type { Schema } from "../../tables/schema.ts";
import type { WriteConnection } from "../connection.ts";

/**
 * Creates the search index of version 1: trigrams for terms of at least three characters, and a list of parts for shorter
 * terms.
 */
export async function createWebsiteSearch(transaction: WriteConnection): Promise<void> {
  await transaction.write(sql`create virtual table website_trigrams using fts5 (
    domain, tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1
  )`);
  await transaction.write(sql`create virtual table website_grams using fts5 (
    grams, tokenize = "ascii tokenchars '.-'", content = '', contentless_delete = 1, detail = none
  )`);
}

/** How many websites one statement indexes. For each page that a statement changes, SQLite keeps the old content in memory. */
const batchRows = 10_000;

/** Replaces the search index of version 1 with that of version 2: a single index, with the account in front of each part. */
export async function addAccountToWebsiteSearch(transaction: WriteConnection): Promise<void> {
  await transaction.write(sql`drop table website_trigrams`);
  await transaction.write(sql`drop table website_grams`);
  await transaction.write(sql`create virtual table website_parts using fts5 (
    parts, tokenize = "ascii tokenchars '.:-'", content = '', contentless_delete = 1
  )`);
  // A table takes half as long as a recursive query for each website. A domain has at most 253 characters.
  await transaction.write(sql`create temp table website_part_starts (start integer primary key)`);
  await transaction.write(sql`insert into website_part_starts with recursive starts (start) as (
    select 1 union all select start + 1 from starts where start < 253
  ) select start from starts`);
  let after: WebsiteKey | undefined = { account_id: 0, id: 0 };
  while (after !== undefined) after = await indexBatch(transaction, after);
  await transaction.write(sql`drop table website_part_starts`);
}

type WebsiteKey = Pick<Schema["websites"], "account_id" | "id">;

/**
 * Indexes the next websites with one SQL statement. In a dry run, queries return no rows, so the statement is for all
 * websites.
 *
 * @returns the last website of the batch, or undefined if there are no more
 */
async function indexBatch(transaction: WriteConnection, after: WebsiteKey): Promise<WebsiteKey | undefined> {
  const isNext = sql`(account_id, id) > (${after.account_id}, ${after.id})`;
  const [last] = await transaction.read(sql<WebsiteKey>`select account_id, id from websites where ${isNext}
    order by account_id, id limit 1 offset ${sql.lit(batchRows - 1)}`);
  const isInBatch =
    last === undefined ? isNext : sql`${isNext} and (account_id, id) <= (${last.account_id}, ${last.id})`;
  await transaction.write(sql`insert into website_parts (rowid, parts) select account_id * 4294967296 + id, (
    select concat_ws(' ',
      group_concat(account_id || ':' || substr(domain, start, 3), ' ' order by start)
        filter (where start <= length(domain) - 2),
      group_concat(account_id || ':' || substr(domain, start, 2), ' ' order by start)
        filter (where start <= length(domain) - 1 and instr(domain, substr(domain, start, 2)) = start),
      group_concat(account_id || ':' || substr(domain, start, 1), ' ' order by start)
        filter (where instr(domain, substr(domain, start, 1)) = start)
    ) from website_part_starts where start <= length(domain)
  ) from websites where ${isInBatch} order by account_id, id`);
  return last;
}

/**
 * Turns off the merging that FTS5 does by itself, which has no bound: `mergeSometimes` merges instead. Only if there were 200
 * segments of a size, FTS5 would still merge them, long before it reaches its limit of 2,000. Merges all segments that exist,
 * which takes 3 s for a million websites. Otherwise the next 100,000 creates would merge them and take 1.5 times as long.
 *
 * The index gets a new name, so that writes and searches of processes of the earlier version fail. Their creates would not
 * index blocks, and the websites of those blocks would never be found.
 */
export async function indexWebsitesInBlocks(transaction: WriteConnection): Promise<void> {
  await transaction.write(sql`alter table website_parts rename to domain_parts`);
  await transaction.write(sql`insert into domain_parts (domain_parts, rank) values ('automerge', 0)`);
  await transaction.write(sql`insert into domain_parts (domain_parts, rank) values ('crisismerge', 200)`);
  await transaction.write(sql`insert into domain_parts (domain_parts) values ('optimize')`);
}
