import type { StoredAccount } from "@siteward/service";
import type { Database } from "../engine/database.ts";
import { listNames, prepared, type Sql, sql } from "../engine/statement.ts";
import { type AccountRow, accounts } from "../tables/schema.ts";
import { columnNames } from "../tables/table.ts";

const selectAccounts = sql`select ${listNames(columnNames(accounts))} from accounts`;
const findById = prepared<AccountRow>(sql`${selectAccounts} where id = :accountId`);

/**
 * The account, to join with its websites. SQLite reads it by its key because of the limit. If statistics said that
 * there is only one, it would read all accounts for each website, however many there are by now.
 */
export const joinedAccount: Sql = sql`(
      select website_count, change_count, changed_at, counted_since from accounts where id = :accountId limit 1
    ) as account`;

export function createAccountReads({ primary }: Pick<Database, "primary">) {
  return {
    async get(accountId: number) {
      const row = await findAccount({ primary }, accountId);
      return row && toAccount(row);
    },
    async firstId() {
      // Every node of Citus has the keys. The accounts are on several, one of which may have failed when a server
      // starts.
      const withKeys = sql`select account_id as id from api_keys order by account_id limit 1`;
      const [withKey] = await primary.read<{ id: number }>(withKeys);
      if (withKey !== undefined) return withKey.id;
      const [first] = await primary.read<{ id: number }>(sql`select id from accounts order by id limit 1`);
      return first?.id;
    },
    async totals() {
      const [row] = await primary.read<{ accounts: number; websites: number | string }>(
        sql`select count(*) as accounts, coalesce(sum(website_count), 0) as websites from accounts`,
      );
      // PostgreSQL adds up 64-bit integers as a decimal number, which is a string.
      return { accounts: row?.accounts ?? 0, websites: Number(row?.websites ?? 0) };
    },
    async list() {
      return (await primary.read<AccountRow>(sql`${selectAccounts} order by id`)).map(toAccount);
    },
  };
}

export async function findAccount({ primary }: Pick<Database, "primary">, accountId: number) {
  return (await primary.read(findById, { accountId }))[0];
}

export function toAccount(row: AccountRow): StoredAccount {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    websites: { count: row.website_count, limit: row.website_limit },
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

export function auditedFields({ name, email, website_limit }: Pick<AccountRow, "name" | "email" | "website_limit">) {
  return { name, email, website_limit };
}
