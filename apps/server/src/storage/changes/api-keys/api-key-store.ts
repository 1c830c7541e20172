import type { Database } from "../../database/database.ts";
import type { ApiKeyStore } from "../../interface/storage.ts";
import { createApiKeyReads } from "../../reads/api-keys/api-key-reads.ts";
import type { CallChange } from "../call-change.ts";
import { prepareCreateApiKey } from "./create-api-key.ts";
import { prepareRotateApiKey } from "./rotate-api-key.ts";
import { prepareRevokeApiKey, prepareUpdateApiKey } from "./update-api-key.ts";

/**
 * Creates the store of API keys. It stores only the hash of a key, never the key itself.
 *
 * @param call makes the changes that requests make
 */
export function createApiKeyStore(database: Database, call: CallChange): ApiKeyStore {
  return {
    ...createApiKeyReads(database),
    create: prepareCreateApiKey(database),
    update: prepareUpdateApiKey(database),
    rotate: prepareRotateApiKey(database),
    revoke: prepareRevokeApiKey(database),
    recordUse: (uses) => call("recordKeyUse", uses),
  };
}
