import { sql } from "kysely";
import { accounts } from "../../tables/accounts.ts";
import type { ReadConnection } from "../connection.ts";

/** Whether there are accounts. The table need not exist. */
export async function hasAccounts({ build, read }: ReadConnection): Promise<boolean> {
  const table = await read(sql`select 1 where to_regclass(${accounts.name}) is not null`);
  if (table.length === 0) return false;
  return (await read(build.selectFrom("accounts").select("id").limit(1))).length > 0;
}
