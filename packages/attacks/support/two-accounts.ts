import { AccountRows } from "@siteward/testing/engines/account-rows";
import { createDatabase } from "@siteward/testing/engines/create-database";
import type { Database, EngineName } from "@siteward/testing/engines/database";
import type { Account } from "@siteward/testing/servers/operate";

/** A migrated database with an account that attacks and another one, neither with a limit of websites. */
export interface TwoAccounts extends Database {
  readonly account: Account & { readonly secondKey: string };
  readonly other: Account;
}

export async function createTwoAccounts(engine: EngineName): Promise<TwoAccounts> {
  const database = await createDatabase(engine, { isMigrated: true });
  const rows = new AccountRows(database);
  const [id, otherId] = [rows.addAccount(), rows.addAccount()];
  const account = { id, apiKey: rows.addApiKey(id), secondKey: rows.addApiKey(id) };
  const other = { id: otherId, apiKey: rows.addApiKey(otherId) };
  await rows.written();
  return { ...database, account, other };
}
