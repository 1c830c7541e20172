import type { Database } from "../../database/database.ts";
import type { ApiKeyStore } from "../../interface/storage.ts";
import { toApiKey } from "../../reads/api-keys/api-key-row.ts";
import { prepareChangeApiKey, readForUpdate } from "./change-api-key.ts";

/** Revokes a key. One that is already revoked stays as it is. */
export function prepareApiKeyRevoke(database: Database): ApiKeyStore["revoke"] {
  const change = prepareChangeApiKey(database);
  return (prefix, by) =>
    database.write(async (transaction) => {
      const row = await readForUpdate(transaction, database, prefix);
      if (row === undefined) return undefined;
      if (row.revoked_at !== null) return toApiKey(row);
      const at = database.now();
      const values = { revoked_at: at };
      return toApiKey(await change(transaction, row, { action: "api_key.revoked", values, at, by }));
    });
}
