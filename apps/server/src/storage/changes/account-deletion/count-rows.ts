import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { DeletedRows } from "../../interface/storage.ts";

/** Counting a million rows takes some tenths of a second. It is only for the progress. */
const maxRows = 1_000_000;

/** Counts the rows of an account, up to a million. */
export async function countRows({ primary }: Database, table: keyof DeletedRows, accountId: number): Promise<number> {
  const rows = sql`select 1 from ${sql.table(table)} where account_id = ${accountId} limit ${sql.lit(maxRows)}`;
  const [counted] = await primary.read(sql<{ total: number }>`select count(*) as total from (${rows}) as counted`);
  return counted?.total ?? 0;
}
