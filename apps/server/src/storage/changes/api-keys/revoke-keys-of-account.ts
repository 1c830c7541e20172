import type { ChangeAuthor } from "@siteward/service";
import type { Database, WriteConnection } from "../../database/database.ts";
import { selectApiKeys } from "../../reads/api-keys/api-key-row.ts";
import { prepareChangeApiKey } from "./change-api-key.ts";

/** Each key takes two statements, and other changes of SQLite wait meanwhile. */
const maxKeys = 50;

/** Returns a function that revokes some keys of an account, and tells how many. It is 0 if all are revoked. */
export function prepareRevokeKeysOfAccount(database: Database) {
  const change = prepareChangeApiKey(database);
  return async (transaction: WriteConnection, accountId: number, by: ChangeAuthor): Promise<number> => {
    const rows = await transaction.read(
      selectApiKeys(database)
        .where("account_id", "=", accountId)
        .where("revoked_at", "is", null)
        .orderBy("id")
        .limit(maxKeys)
        .modifyEnd(database.dialect.forUpdate),
    );
    const at = database.now();
    for (const row of rows) {
      await change(transaction, row, { action: "api_key.revoked", values: { revoked_at: at }, at, by });
    }
    return rows.length;
  };
}
