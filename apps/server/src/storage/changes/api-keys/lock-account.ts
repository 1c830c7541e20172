import type { Database, WriteConnection } from "../../database/database.ts";

/**
 * Locks the row of an account before a key is added to it. Its deletion does the same, so that it finds every key.
 *
 * @returns whether the account exists and is not being deleted
 */
export async function lockAccount(
  { read }: WriteConnection,
  { build, dialect }: Database,
  accountId: number,
): Promise<boolean> {
  const account = build.selectFrom("accounts").select("id").where("id", "=", accountId);
  if ((await read(account.modifyEnd(dialect.forUpdate))).length === 0) return false;
  const deletion = build.selectFrom("account_deletions").select("account_id").where("account_id", "=", accountId);
  return (await read(deletion)).length === 0;
}
