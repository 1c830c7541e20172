import type { StoredAccount } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { accounts } from "../../tables/accounts.ts";
import type { AccountRow } from "../../tables/schema.ts";
import { columnNames } from "../../tables/table.ts";

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

/** Returns the fields of an account that its audit trail describes. */
export function auditedFields({ name, email, website_limit }: Pick<AccountRow, "name" | "email" | "website_limit">) {
  return { name, email, website_limit };
}
