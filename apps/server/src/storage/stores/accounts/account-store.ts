import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { AccountSettings, AccountStore, StoredAccount } from "../../storage.ts";
import { accounts } from "../../tables/accounts.ts";
import type { AccountRow } from "../../tables/schema.ts";
import { columnNames, isDifferent } from "../../tables/table.ts";

/** Creates the store of accounts. */
export function createAccountStore(database: Database): AccountStore {
  const { build, primary } = database;
  const findById = prepare((value: Placeholder<{ id: number }>) =>
    selectAccounts(database).where("id", "=", value("id")),
  );
  return {
    async get(id) {
      const [row] = await primary.read(findById({ id }));
      return row === undefined ? undefined : toAccount(row);
    },
    async first() {
      const [row] = await primary.read(selectAccounts({ build }).orderBy("id").limit(1));
      return row === undefined ? undefined : toAccount(row);
    },
    async list() {
      const rows = await primary.read(selectAccounts({ build }).orderBy("id"));
      return rows.map(toAccount);
    },
    create: (account) => createAccount(database, account),
    update: (id, change) => updateAccount(database, id, change),
  };
}

function selectAccounts({ build }: Pick<Database, "build">) {
  return build.selectFrom("accounts").select(columnNames(accounts));
}

function createAccount(database: Database, account: AccountSettings): Promise<StoredAccount> {
  const { build } = database;
  return database.write(async (transaction) => {
    const [newest] = await transaction.read(
      build.selectFrom("accounts").select(({ fn }) => fn.max<number | null>("id").as("id")),
    );
    const now = database.now();
    const row: AccountRow = {
      id: (newest?.id ?? 0) + 1,
      name: account.name,
      email: account.email,
      website_count: 0,
      website_limit: account.websiteLimit,
      last_website_id: 0,
      last_website_created_at: 0,
      version: 1,
      created_at: now,
      updated_at: now,
    };
    await transaction.write(build.insertInto("accounts").values(row));
    return toAccount(row);
  });
}

function updateAccount(
  database: Database,
  id: number,
  { name, email, websiteLimit }: Partial<AccountSettings>,
): Promise<StoredAccount | undefined> {
  const { build, dialect } = database;
  return database.write(async (transaction) => {
    const current = selectAccounts(database).where("id", "=", id).modifyEnd(dialect.forUpdate);
    const [row] = await transaction.read(current);
    if (row === undefined) return undefined;
    const settings = {
      name: name ?? row.name,
      email: email ?? row.email,
      website_limit: websiteLimit === undefined ? row.website_limit : websiteLimit,
    };
    if (!isDifferent(row, { ...row, ...settings })) return toAccount(row);
    // The time never decreases, even if the clock goes backwards.
    const change = { ...settings, updated_at: Math.max(database.now(), row.updated_at) };
    await transaction.write(build.updateTable("accounts").set(change).where("id", "=", id));
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
