import { sql, type Transaction } from "kysely";
import type { Schema } from "../schema.ts";

/** The search index of version 1: trigrams for terms of three characters and more, and a list of parts for shorter ones. */
export async function createWebsiteSearch(transaction: Transaction<Schema>): Promise<void> {
  await sql`create virtual table website_trigrams using fts5 (
    domain, tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1
  )`.execute(transaction);
  await sql`create virtual table website_grams using fts5 (
    grams, tokenize = "ascii tokenchars '.-'", content = '', contentless_delete = 1, detail = none
  )`.execute(transaction);
}

/**
 * The search index of version 2: one, with the account in front of each part. It is filled in SQL, so that the SQL that
 * `migrate --dry-run` prints does the same. SQLite reads the websites one by one and keeps at most its caches in memory.
 */
export async function leadWebsiteSearchByAccount(transaction: Transaction<Schema>): Promise<void> {
  await sql`drop table website_trigrams`.execute(transaction);
  await sql`drop table website_grams`.execute(transaction);
  await sql`create virtual table website_parts using fts5 (
    parts, tokenize = "ascii tokenchars '.:-'", content = '', contentless_delete = 1
  )`.execute(transaction);
  // A table takes half the time of a recursive query for each website. No domain is longer than 253 characters.
  await sql`create temp table website_part_starts (start integer primary key)`.execute(transaction);
  await sql`insert into website_part_starts with recursive starts (start) as (
    select 1 union all select start + 1 from starts where start < 253
  ) select start from starts`.execute(transaction);
  await sql`insert into website_parts (rowid, parts) select account_id * 4294967296 + id, (
    select concat_ws(' ',
      group_concat(account_id || ':' || substr(domain, start, 3), ' ' order by start)
        filter (where start <= length(domain) - 2),
      group_concat(account_id || ':' || substr(domain, start, 2), ' ' order by start)
        filter (where start <= length(domain) - 1 and instr(domain, substr(domain, start, 2)) = start),
      group_concat(account_id || ':' || substr(domain, start, 1), ' ' order by start)
        filter (where instr(domain, substr(domain, start, 1)) = start)
    ) from website_part_starts where start <= length(domain)
  ) from websites order by account_id, id`.execute(transaction);
  await sql`drop table website_part_starts`.execute(transaction);
}
