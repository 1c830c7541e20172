import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { ApiKeyStore } from "../../interface/storage.ts";
import { selectApiKeys, toApiKey } from "../../reads/api-keys/api-key-row.ts";
import { prepareApiKeyCreate } from "./api-key-create.ts";
import { prepareApiKeyRevoke } from "./api-key-revoke.ts";
import { prepareApiKeyRotate } from "./api-key-rotate.ts";
import { prepareApiKeyUpdate } from "./api-key-update.ts";
import { createKeyUseWriter, type KeyUseWriter } from "./key-use-writer.ts";

/**
 * Creates the store of API keys. It stores only the hash of a key, never the key itself.
 *
 * @param writer writes when keys were used. By default it does so through `database`.
 */
export function createApiKeyStore(
  database: Database,
  writer: KeyUseWriter = createKeyUseWriter(database),
): ApiKeyStore {
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
    create: prepareApiKeyCreate(database),
    update: prepareApiKeyUpdate(database),
    rotate: prepareApiKeyRotate(database),
    revoke: prepareApiKeyRevoke(database),
    recordUse: (uses) => writer.recordKeyUse(uses),
  };
}
