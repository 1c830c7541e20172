import type { StoredAccount } from "@siteward/service";
import type { Database } from "../engine/database.ts";
import { type Placeholder, prepare } from "../engine/prepare.ts";
import type { AccountStore } from "../interface/storage.ts";
import { type AccountRow, accounts } from "../tables/schema.ts";
import { columnNames } from "../tables/table.ts";

export function createAccountReads(database: Database): Pick<AccountStore, "get" | "firstId" | "totals" | "list"> {
  const { primary, build } = database;
  const findById = prepare((value: Placeholder<{ accountId: number }>) =>
    selectAccounts(database).where("id", "=", value("accountId")),
  );
  return {
    async get(accountId) {
      const [row] = await primary.read(findById({ accountId }));
      return row === undefined ? undefined : toAccount(row);
    },
    async firstId() {
      // Every node of Citus has the keys. The accounts are on several, one of which may have failed when a server starts.
      const keys = build.selectFrom("api_keys").select("account_id as id").orderBy("account_id").limit(1);
      const [withKey] = await primary.read(keys);
      if (withKey !== undefined) return withKey.id;
      const [first] = await primary.read(build.selectFrom("accounts").select("id").orderBy("id").limit(1));
      return first?.id;
    },
    async totals() {
      const { count, sum } = build.fn;
      const [row] = await primary.read(
        build
          .selectFrom("accounts")
          .select([count<number>("id").as("accounts"), sum<number | string | null>("website_count").as("websites")]),
      );
      // PostgreSQL adds up 64-bit integers as a decimal number, which is a string.
      return { accounts: row?.accounts ?? 0, websites: Number(row?.websites ?? 0) };
    },
    async list() {
      const rows = await primary.read(selectAccounts(database).orderBy("id"));
      return rows.map(toAccount);
    },
  };
}

export function selectAccounts({ build }: Pick<Database, "build">) {
  return build.selectFrom("accounts").select(columnNames(accounts));
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
