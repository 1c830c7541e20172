import { sql } from "kysely";
import type { Database, WriteConnection } from "../../database/database.ts";
import type { DeletedRows } from "../../interface/storage.ts";
import { tables } from "../../tables/schema.ts";
import type { Table } from "../../tables/table.ts";

const maxWebsites = 200;

/**
 * Deletes the first websites of an account in order of id. Begins with the row of the account, as every change of the number of
 * websites does.
 */
export function deleteSomeWebsites(database: Database, accountId: number): Promise<number> {
  const { build, dialect, websiteSearch } = database;
  return database.write(async (transaction) => {
    const account = build.selectFrom("accounts").select("id").where("id", "=", accountId);
    await transaction.read(account.modifyEnd(dialect.forUpdate));
    const ofAccount = build.selectFrom("websites").select("id").where("account_id", "=", accountId);
    const ids = (await transaction.read(ofAccount.orderBy("id").limit(maxWebsites))).map(({ id }) => id);
    const [lowest, highest] = [ids[0], ids.at(-1)];
    if (lowest === undefined || highest === undefined) return 0;
    await transaction.write(
      build
        .updateTable("accounts")
        .set((column) => ({ website_count: column("website_count", "-", ids.length) }))
        .where("id", "=", accountId),
    );
    const remove = build.deleteFrom("websites").where("account_id", "=", accountId);
    await transaction.write(remove.where("id", ">=", lowest).where("id", "<=", highest));
    await websiteSearch.removeRange(transaction, accountId, { lowest, highest });
    return ids.length;
  });
}

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
