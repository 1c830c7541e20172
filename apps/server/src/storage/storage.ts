import type { Account, Scope, Website } from "@siteward/contract";

/**
 * What the rest of the server knows of storage: plain operations on accounts, API keys and websites. It knows no HTTP
 * and no engine. Every operation on websites names its account, and none crosses accounts.
 *
 * Any operation can throw a `StorageError` with the reason `unavailable`: the database cannot answer or keep a change now,
 * and nothing of the change was kept. Any operation that changes something can throw `outcome-unknown`.
 */
export interface Storage {
  readonly websites: WebsiteStore;
  readonly accounts: AccountStore;
  readonly apiKeys: ApiKeyStore;
  /**
   * Reads what a request reads, to learn whether the database answers requests. The answer is up to half a second old.
   *
   * @throws Error that says why it does not, or that it takes too long
   */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A record and its row version, which counts from 1 and rises with every change. It is the base of the entity tag. */
export interface VersionedWebsite {
  readonly website: Website;
  readonly version: number;
}

export interface WebsiteStore {
  list(accountId: number, request: WebsiteListRequest): Promise<WebsiteList>;

  get(accountId: number, id: number): Promise<VersionedWebsite | undefined>;

  /**
   * Inserts a website under the account's next id.
   *
   * @throws StorageError `domain-taken` with the id of the record that has the domain, or `website-limit-reached`
   */
  create(accountId: number, website: NewWebsite): Promise<VersionedWebsite>;

  /**
   * Reads the record, lets `decide` judge it, and writes what it returns, all in one transaction. Where nothing of the
   * record would differ, it and its version stay as they are. `decide` may be called again if the transaction is retried.
   *
   * @returns the record as it is now, or undefined where there is none
   */
  update(
    accountId: number,
    id: number,
    decide: (current: Website) => WebsiteChange,
  ): Promise<VersionedWebsite | undefined>;

  /** @returns whether there was such a record */
  delete(accountId: number, id: number): Promise<boolean>;
}

/** The settings of a website that a client chooses. */
type WebsiteSettings = Omit<Website, "id" | "domain" | "has_password" | "created_at" | "updated_at">;

export interface NewWebsite extends WebsiteSettings {
  /** In canonical form. */
  readonly domain: string;
  /** Argon2id PHC string, or null where there is no password. */
  readonly passwordHash: string | null;
}

export interface WebsiteChange extends Partial<WebsiteSettings> {
  /** Argon2id PHC string; null forgets the password; absent keeps it. */
  readonly passwordHash?: string | null;
}

export interface WebsiteListRequest {
  /** A substring of the domain in any case, already known not to be empty. */
  readonly search?: string;
  readonly sortBy: "id" | "domain";
  readonly sort: "asc" | "desc";
  /** The largest number of records. */
  readonly perPage: number;
  readonly start: PageStart | PositionStart;
}

/** By number: skips `(page - 1) * perPage` records. */
interface PageStart {
  readonly page: number;
}

/** By keyset: from a position between two records, in list order (`forward`) or against it (`backward`). */
export interface PositionStart {
  readonly position: ListPosition;
  readonly direction: "forward" | "backward";
}

/** The place right before or right after a record in list order, whether or not that record still exists. */
export interface ListPosition {
  /** The record's sort key: its id or its domain, as `sortBy` says. */
  readonly key: number | string;
  readonly side: "before" | "after";
}

export interface WebsiteList {
  /** In list order, also when read backward. */
  readonly websites: Website[];
  /** Exact without a search and up to `maxExactTotal` matches; that number otherwise. */
  readonly total: number;
  readonly totalRelation: "eq" | "gte";
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

/** An account without the API key that the interface shows beside it. */
export type StoredAccount = Omit<Account, "api_key">;

export interface AccountStore {
  get(id: number): Promise<StoredAccount | undefined>;
  /** In order of id. */
  list(): Promise<StoredAccount[]>;
  create(account: AccountSettings): Promise<StoredAccount>;
  /** @returns the account as it is now, or undefined where there is none */
  update(id: number, change: Partial<AccountSettings>): Promise<StoredAccount | undefined>;
}

export interface AccountSettings {
  readonly name: string;
  readonly email: string;
  /** Null means no limit. */
  readonly websiteLimit: number | null;
}

export interface ApiKeyStore {
  /** @param hash SHA-256 of the whole key */
  findByHash(hash: Uint8Array): Promise<StoredApiKey | undefined>;
  /** In order of id; of one account, or of all. */
  list(accountId?: number): Promise<StoredApiKey[]>;
  /** @returns undefined where there is no such account, or the prefix is in use */
  create(key: NewApiKey): Promise<StoredApiKey | undefined>;
  /** @returns the revoked key, or undefined where no key has this prefix. A key stays revoked from the first time on. */
  revoke(prefix: string): Promise<StoredApiKey | undefined>;
  /** Writes when keys were last used; a time never goes back. */
  recordUse(uses: ReadonlyMap<number, Date>): Promise<void>;
}

export interface NewApiKey {
  readonly accountId: number;
  readonly name: string;
  /** Unique among all keys. */
  readonly prefix: string;
  /** SHA-256 of the whole key. */
  readonly hash: Uint8Array;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

export interface StoredApiKey extends NewApiKey {
  readonly id: number;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}
