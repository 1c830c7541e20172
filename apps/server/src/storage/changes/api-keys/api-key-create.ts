import type { Database } from "../../database/database.ts";
import type { ApiKeyStore } from "../../interface/storage.ts";
import { toApiKey } from "../../reads/api-keys/api-key-row.ts";
import { prepareInsertApiKey } from "./insert-api-key.ts";
import { lockAccount } from "./lock-account.ts";

/** Creates a key. */
export function prepareApiKeyCreate(database: Database): ApiKeyStore["create"] {
  const insert = prepareInsertApiKey(database);
  return (key, by) =>
    database.write(async (transaction) => {
      if (!(await lockAccount(transaction, database, key.accountId))) return undefined;
      const row = await insert(transaction, key, by);
      return row === "prefix-in-use" ? row : toApiKey(row);
    });
}
