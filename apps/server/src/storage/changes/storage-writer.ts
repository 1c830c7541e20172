import type { ChangeAuthor, Created, IdempotentRequest, NewWebsite, WebsiteChange } from "@siteward/service";

/**
 * The changes that requests make. Their arguments and results are plain data, so that another thread can run them. Each is
 * one transaction. See `Storage` for the errors.
 */
export interface StorageWriter {
  /** Inserts a website under the account's next id. */
  createWebsite(creation: WebsiteCreation): Promise<Created>;
  /** @returns whether the record existed and had the expected version. If not, nothing was changed. */
  replaceWebsite(replacement: WebsiteReplacement): Promise<boolean>;
  /** @returns whether the record existed and had the expected version. If not, nothing was changed. */
  deleteWebsite(deletion: WebsiteDeletion): Promise<boolean>;
  /** See `ApiKeyStore.recordUse`. */
  recordKeyUse(uses: ReadonlyMap<number, Date>): Promise<void>;
  /** See `RetentionStore.deleteExpired`. Each table is one transaction. */
  deleteExpired(expiry: AccountExpiry): Promise<boolean>;
}

/** What is kept no longer of an account. Times are in milliseconds since 1970. */
export interface AccountExpiry {
  readonly accountId: number;
  /** The time of the oldest entry of the audit trail that is kept. */
  readonly entriesSince: number;
  /** The time of the newest outcome of a request that is no longer kept. */
  readonly outcomesUntil: number;
}

export interface WebsiteKey {
  readonly accountId: number;
  readonly id: number;
}

/** A change as the audit trail records it. */
export interface AuditedChange {
  readonly by: ChangeAuthor;
  /** A JSON object: each field that changes, with its values before and after. */
  readonly changes: string;
}

export interface WebsiteCreation {
  readonly accountId: number;
  readonly website: NewWebsite;
  readonly audit: AuditedChange;
  readonly idempotency: IdempotentRequest | undefined;
  /** The time of the creation, in milliseconds since 1970. If the account has a newer creation or deletion, its time is stored. */
  readonly at: number;
}

/** A change that was decided on one version of a record. */
interface WebsiteReplacement extends WebsiteKey {
  readonly audit: AuditedChange;
  readonly expectedVersion: number;
  /** The fields that change. The version is incremented. */
  readonly change: WebsiteChange;
  /** The time of the change, in milliseconds since 1970. */
  readonly at: number;
  /** Whether a stored password is removed or replaced, so that it is erased from the database's files. */
  readonly discardsPassword: boolean;
}

/** A deletion that was decided on one version of a record. */
interface WebsiteDeletion extends WebsiteKey {
  readonly audit: AuditedChange;
  readonly expectedVersion: number;
  /** The time of the deletion, in milliseconds since 1970. */
  readonly at: number;
  /** Whether the record has a password, so that it is erased from the database's files. */
  readonly discardsPassword: boolean;
}
