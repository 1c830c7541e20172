import type { Database } from "../../database/database.ts";
import type { ApiKeyStore } from "../../interface/storage.ts";
import { createApiKeyReads } from "../../reads/api-keys/api-key-reads.ts";
import { type CallChange, callHere } from "../call-change.ts";
import { prepareApiKeyCreate } from "./api-key-create.ts";
import { prepareApiKeyRevoke } from "./api-key-revoke.ts";
import { prepareApiKeyRotate } from "./api-key-rotate.ts";
import { prepareApiKeyUpdate } from "./api-key-update.ts";

/**
 * Creates the store of API keys. It stores only the hash of a key, never the key itself.
 *
 * @param call makes the changes that requests make. By default they are made through `database`.
 */
export function createApiKeyStore(database: Database, call: CallChange = callHere(database)): ApiKeyStore {
  return {
    ...createApiKeyReads(database),
    create: prepareApiKeyCreate(database),
    update: prepareApiKeyUpdate(database),
    rotate: prepareApiKeyRotate(database),
    revoke: prepareApiKeyRevoke(database),
    recordUse: (uses) => call("recordKeyUse", uses),
  };
}
