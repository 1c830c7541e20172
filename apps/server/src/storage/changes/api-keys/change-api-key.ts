import type { Database, WriteConnection } from "../../database/database.ts";
import { selectApiKeys } from "../../reads/api-keys/api-key-row.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";
import { type AuditedApiKeyChange, prepareAuditApiKey } from "./audit-api-key.ts";

/** Reads a key that the transaction will change. Other transactions that want to change it wait. */
export async function readForUpdate(
  transaction: WriteConnection,
  database: Database,
  prefix: string,
): Promise<ApiKeyRow | undefined> {
  const query = selectApiKeys(database).where("prefix", "=", prefix).modifyEnd(database.dialect.forUpdate);
  const [row] = await transaction.read(query);
  return row;
}

/** What changes in a key that `readForUpdate` returned. */
interface Change extends Pick<AuditedApiKeyChange, "action" | "also" | "by"> {
  readonly values: Partial<Pick<ApiKeyRow, "name" | "scopes" | "rate_limit" | "expires_at" | "revoked_at">>;
  readonly at: number;
}

/** Returns a function that changes a key, raises its version, and records the change in the audit trail. */
export function prepareChangeApiKey(database: Database) {
  const audit = prepareAuditApiKey(database);
  return async (transaction: WriteConnection, before: ApiKeyRow, { values, ...change }: Change): Promise<ApiKeyRow> => {
    const set = { ...values, version: before.version + 1 };
    const update = database.build.updateTable("api_keys").set(set);
    await transaction.write(update.where("account_id", "=", before.account_id).where("id", "=", before.id));
    const after = { ...before, ...set };
    await audit(transaction, { ...change, before, after });
    return after;
  };
}
