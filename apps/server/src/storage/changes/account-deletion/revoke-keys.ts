import type { ChangeAuthor } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import type { ApiKeyStore } from "../../interface/storage.ts";
import { selectApiKeys } from "../../reads/api-keys/api-key-row.ts";
import { prepareRevokeApiKey } from "../api-keys/update-api-key.ts";

/** How many keys are read at a time. */
const maxKeys = 50;

/** Returns a function that revokes some keys of an account, and tells how many. It is 0 if all are revoked. */
export function prepareRevokeKeys(database: Database): (accountId: number, by: ChangeAuthor) => Promise<number> {
  const revoke: ApiKeyStore["revoke"] = prepareRevokeApiKey(database);
  return async (accountId, by) => {
    const keys = await database.primary.read(
      selectApiKeys(database)
        .where("account_id", "=", accountId)
        .where("revoked_at", "is", null)
        .orderBy("id")
        .limit(maxKeys),
    );
    for (const { prefix } of keys) await revoke(prefix, by);
    return keys.length;
  };
}
