import type { Database, WriteConnection } from "../../database/database.ts";

/**
 * Notes that the deletion of an account began, from when on it gets no more API keys.
 *
 * @returns whether the account exists
 */
export async function beginDeletion(
  { build, read, write }: WriteConnection,
  { dialect, now }: Database,
  accountId: number,
): Promise<boolean> {
  const account = build.selectFrom("accounts").select("id").where("id", "=", accountId);
  if ((await read(account.modifyEnd(dialect.forUpdate))).length === 0) return false;
  const [newest] = await read(
    build
      .selectFrom("api_keys")
      .select(({ fn }) => fn.max<number | null>("id").as("id"))
      .where("account_id", "=", accountId),
  );
  const row = { account_id: accountId, last_api_key_id: newest?.id ?? 0, began_at: now() };
  await write(
    build
      .insertInto("account_deletions")
      .values(row)
      .onConflict((conflict) => conflict.column("account_id").doNothing()),
  );
  return true;
}
