import type { Database } from "../../database/database.ts";
import { type Placeholder, prepareQuery } from "../../database/prepared-query.ts";
import { transact } from "../../database/transact.ts";
import type { AccountSettings, AccountStore, StoredAccount } from "../../storage.ts";
import type { AccountRow } from "../../tables/schema.ts";
import { isDifferent } from "../is-different.ts";

/** By name: a statement that a server has prepared must give the same when a migration adds a column. */
const accountColumns = [
  "id",
  "name",
  "email",
  "website_count",
  "website_limit",
  "last_website_id",
  "last_website_created_at",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof AccountRow)[];

/** Keeps the accounts in the database. */
export function createAccountStore(database: Database): AccountStore {
  const { read } = database;
  const find = prepareQuery((argument: Placeholder<{ id: number }>) =>
    read.selectFrom("accounts").select(accountColumns).where("id", "=", argument("id")),
  );
  return {
    async get(id) {
      const [row] = await find(read, { id });
      return row === undefined ? undefined : toAccount(row);
    },
    async list() {
      const rows = await read.selectFrom("accounts").select(accountColumns).orderBy("id").execute();
      return rows.map(toAccount);
    },
    create: (account) => createAccount(database, account),
    update: (id, change) => updateAccount(database, id, change),
  };
}

function createAccount(database: Database, account: AccountSettings): Promise<StoredAccount> {
  return transact(database, async (transaction) => {
    const { last } = await transaction
      .selectFrom("accounts")
      .select(({ fn }) => fn.max<number | null>("id").as("last"))
      .executeTakeFirstOrThrow();
    const now = database.now();
    const row: AccountRow = {
      id: (last ?? 0) + 1,
      name: account.name,
      email: account.email,
      website_count: 0,
      website_limit: account.websiteLimit,
      last_website_id: 0,
      last_website_created_at: 0,
      created_at: now,
      updated_at: now,
    };
    await transaction.insertInto("accounts").values(row).execute();
    return toAccount(row);
  });
}

function updateAccount(
  database: Database,
  id: number,
  { name, email, websiteLimit }: Partial<AccountSettings>,
): Promise<StoredAccount | undefined> {
  return transact(database, async (transaction) => {
    const row = await transaction
      .selectFrom("accounts")
      .select(accountColumns)
      .where("id", "=", id)
      .modifyEnd(database.dialect.forUpdate)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const settings = {
      name: name ?? row.name,
      email: email ?? row.email,
      website_limit: websiteLimit === undefined ? row.website_limit : websiteLimit,
    };
    if (!isDifferent(row, { ...row, ...settings })) return toAccount(row);
    // A time never goes back, even when the clock does.
    const change = { ...settings, updated_at: Math.max(database.now(), row.updated_at) };
    await transaction.updateTable("accounts").set(change).where("id", "=", id).execute();
    return toAccount({ ...row, ...change });
  });
}

function toAccount(row: AccountRow): StoredAccount {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    websites: { count: row.website_count, limit: row.website_limit },
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
