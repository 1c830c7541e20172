import { sql } from "kysely";
import type { Database, WriteConnection } from "../../database/database.ts";
import type { DeletedRows } from "../../interface/storage.ts";
import { tables } from "../../tables/schema.ts";
import type { Table } from "../../tables/table.ts";

const maxRows = 500;

/** Deletes the first rows of an account in order of the key. */
export function deleteSomeRows(
  database: Database,
  name: Exclude<keyof DeletedRows, "websites">,
  accountId: number,
): Promise<number> {
  const table: Table = tables[name];
  const key = sql.join(table.key.filter((column) => column !== "account_id").map((column) => sql.ref(column)));
  const ofAccount = sql`${sql.table(name)} where account_id = ${accountId}`;
  return database.write(async ({ read, write }: WriteConnection) => {
    const [last] = await read(
      sql<Readonly<Record<string, unknown>>>`
        select ${key} from ${ofAccount} order by ${key} limit 1 offset ${sql.lit(maxRows - 1)}`,
    );
    const isFirst = last === undefined ? sql`true` : sql`(${key}) <= (${sql.join(Object.values(last))})`;
    const deleted = await write(sql`delete from ${ofAccount} and ${isFirst} returning account_id`);
    return deleted.length;
  });
}
