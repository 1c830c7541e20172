import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { ApiKeyStore } from "../../interface/storage.ts";
import { selectApiKeys, toApiKey } from "./api-key-row.ts";

/** Reads API keys. */
export function createApiKeyReads(database: Database): Pick<ApiKeyStore, "findByHash" | "list"> {
  const { primary } = database;
  const findByHash = prepare((value: Placeholder<{ hash: Uint8Array }>) =>
    selectApiKeys(database).where("hash", "=", value("hash")),
  );
  return {
    async findByHash(hash) {
      const [row] = await primary.read(findByHash({ hash }));
      return row === undefined ? undefined : toApiKey(row);
    },
    async list(accountId) {
      const all = selectApiKeys(database).orderBy("id");
      const rows = await primary.read(accountId === undefined ? all : all.where("account_id", "=", accountId));
      return rows.map(toApiKey);
    },
  };
}
