import { sql } from "kysely";
import type { WriteConnection } from "../connection.ts";

/**
 * Creates the search index. The merging that FTS5 does by itself has no bound, so it is turned off: `mergeSometimes` merges
 * instead. Only if there were 200 segments of a size, FTS5 would still merge them, long before it reaches its limit of 2,000.
 */
export async function createSqliteSearch(transaction: WriteConnection): Promise<void> {
  await transaction.write(sql`create virtual table domain_parts using fts5 (
    parts, tokenize = "ascii tokenchars '.:-'", content = '', contentless_delete = 1
  )`);
  await transaction.write(sql`insert into domain_parts (domain_parts, rank) values ('automerge', 0)`);
  await transaction.write(sql`insert into domain_parts (domain_parts, rank) values ('crisismerge', 200)`);
}
