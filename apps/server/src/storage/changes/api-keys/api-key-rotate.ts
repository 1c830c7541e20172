import type { Database, WriteConnection } from "../../database/database.ts";
import type { ApiKeyStore, RotatedApiKey } from "../../interface/storage.ts";
import { selectApiKeys, toApiKey } from "../../reads/api-keys/api-key-row.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";
import { prepareChangeApiKey, readForUpdate } from "./change-api-key.ts";
import { prepareInsertApiKey } from "./insert-api-key.ts";
import { lockAccount } from "./lock-account.ts";

/** Creates a key that replaces another, and lets the old one expire. */
export function prepareApiKeyRotate(database: Database): ApiKeyStore["rotate"] {
  const insert = prepareInsertApiKey(database);
  const change = prepareChangeApiKey(database);
  return (prefix, decide, by) =>
    database.write(async (transaction): Promise<RotatedApiKey | "prefix-in-use" | undefined> => {
      const row = await lockWithAccount(transaction, database, prefix);
      if (row === undefined) return undefined;
      const current = toApiKey(row);
      const { next, expiresAt } = decide(current);
      const { prefix: nextPrefix, hash, expiresAt: nextExpiresAt } = next;
      const replacement = { ...current, prefix: nextPrefix, hash, expiresAt: nextExpiresAt };
      const inserted = await insert(transaction, replacement, by);
      if (inserted === "prefix-in-use") return inserted;
      const values = { expires_at: notLater(row, expiresAt.getTime()) };
      const also = { replaced_by: inserted.prefix };
      const changed = { action: "api_key.rotated", values, also, at: database.now(), by } as const;
      return { old: toApiKey(await change(transaction, row, changed)), next: toApiKey(inserted) };
    });
}

/** Returns the key, or undefined if it does not exist or its account is being deleted. */
async function lockWithAccount(
  transaction: WriteConnection,
  database: Database,
  prefix: string,
): Promise<ApiKeyRow | undefined> {
  const [found] = await transaction.read(selectApiKeys(database).where("prefix", "=", prefix));
  if (found === undefined || !(await lockAccount(transaction, database, found.account_id))) return undefined;
  return readForUpdate(transaction, database, prefix);
}

function notLater({ expires_at }: ApiKeyRow, time: number): number {
  return expires_at === null ? time : Math.min(expires_at, time);
}
