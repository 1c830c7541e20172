import type { Database, WriteConnection } from "../../database/database.ts";
import type { DeletedRows } from "../../interface/storage.ts";

/** The tables that must be empty. If one is missing, this does not compile. */
const mustBeEmpty = {
  websites: true,
  idempotency_keys: true,
  audit_entries: true,
  api_keys: true,
} as const satisfies Record<keyof DeletedRows, true>;

/** The cast is safe: these are the names above. */
const tables = Object.keys(mustBeEmpty) as (keyof typeof mustBeEmpty)[];

/** Deletes the row of an account if nothing else of it is left, and returns whether it did. */
export async function removeEmptyAccount(
  { build, read, write }: WriteConnection,
  { dialect }: Database,
  accountId: number,
): Promise<boolean> {
  const account = build.selectFrom("accounts").select("id").where("id", "=", accountId);
  await read(account.modifyEnd(dialect.forUpdate));
  for (const table of tables) {
    const row = build.selectFrom(table).select("account_id").where("account_id", "=", accountId).limit(1);
    if ((await read(row)).length > 0) return false;
  }
  await write(build.deleteFrom("accounts").where("id", "=", accountId));
  return true;
}
