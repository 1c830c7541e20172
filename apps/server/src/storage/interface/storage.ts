import type { ServiceStorage } from "@siteward/service";
import type { AccountStore } from "./account-store.ts";
import type { ApiKeyStore } from "./api-key-store.ts";
import type { AuditStore } from "./audit-store.ts";
import type { RetentionStore } from "./retention-store.ts";
import type { StorageLoad } from "./storage-load.ts";

export type { AccountSettings, DeleteAccountOptions, DeletedRows, Each } from "./account-store.ts";
export type { ApiKeyChange, NewApiKey, RotatedApiKey, StoredApiKey } from "./api-key-store.ts";
export type { AccountStore, ApiKeyStore };

/**
 * The interface of storage for the rest of the server: what the operations of the service ask of it, and beside that
 * what authentication, the operator's commands and the workers need. The same failures apply, see `ServiceStorage`.
 */
export interface Storage extends ServiceStorage {
  readonly accounts: AccountStore;
  readonly apiKeys: ApiKeyStore;
  readonly audit: AuditStore;
  readonly retention: RetentionStore;
  /** Reads what requests read, at most each half a second. @throws Error that says why the database does not answer */
  ping(): Promise<void>;
  /** Returns what storage does at the moment, also while the database does not answer. */
  load(): StorageLoad;
  close(): Promise<void>;
}
