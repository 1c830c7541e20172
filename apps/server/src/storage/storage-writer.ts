import type { NewWebsite, VersionedWebsite, WebsiteChange } from "./storage.ts";

/**
 * The changes that requests make. Their arguments and results are plain data, so that another thread can run them. Each is
 * one transaction. See `Storage` for the errors.
 */
export interface StorageWriter {
  /** Inserts a website under the account's next id. */
  createWebsite(creation: WebsiteCreation): Promise<VersionedWebsite>;
  /** @returns whether the record existed and had the expected version. If not, nothing was changed. */
  replaceWebsite(replacement: WebsiteReplacement): Promise<boolean>;
  /** @returns whether the record existed */
  deleteWebsite(key: WebsiteKey): Promise<boolean>;
  /** See `ApiKeyStore.recordUse`. */
  recordKeyUse(uses: ReadonlyMap<number, Date>): Promise<void>;
}

export interface WebsiteKey {
  readonly accountId: number;
  readonly id: number;
}

interface WebsiteCreation {
  readonly accountId: number;
  readonly website: NewWebsite;
  /** The time of the creation, in milliseconds since 1970. If the account has a newer website, that one's time is stored. */
  readonly at: number;
}

/** A change that was decided on one version of a record. */
interface WebsiteReplacement extends WebsiteKey {
  readonly expectedVersion: number;
  /** The fields that change. The version is incremented. */
  readonly change: WebsiteChange;
  /** The time of the change, in milliseconds since 1970. */
  readonly at: number;
  /** Whether a stored password is removed or replaced, so that it is erased from the database's files. */
  readonly discardsPassword: boolean;
}
