import type { Account, Scope, Website } from "@siteward/contract";
import type { AuditStore } from "./audit-trail.ts";
import type { ChangeAuthor } from "./change-author.ts";
import type { RetentionStore } from "./retention.ts";

export type { ChangeAuthor };

/**
 * The interface of storage for the rest of the server: plain operations on accounts, API keys and websites, without HTTP
 * and for every engine. Each operation on websites names its account and touches no other.
 *
 * Any operation can throw a `StorageError` with the reason `unavailable`: the database cannot answer or store a change now,
 * and nothing of the change was stored. Any operation that changes something can also throw `outcome-unknown`.
 */
export interface Storage {
  readonly websites: WebsiteStore;
  readonly accounts: AccountStore;
  readonly apiKeys: ApiKeyStore;
  readonly audit: AuditStore;
  readonly retention: RetentionStore;
  /**
   * Checks that the database answers requests, by reading what requests read. The result is up to half a second old.
   *
   * @throws Error that says why the database does not answer, or that it takes too long
   */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A record and its row version, which starts at 1 and increases with every change. The entity tag is derived from it. */
export interface VersionedWebsite {
  readonly website: Website;
  readonly version: number;
}

export interface WebsiteStore {
  list(accountId: number, request: WebsiteListRequest): Promise<WebsiteList>;

  get(accountId: number, id: number): Promise<VersionedWebsite | undefined>;

  /**
   * Inserts a website under the account's next id. If a request with the same idempotency key was acted on before, it does
   * nothing but return or throw the outcome of that one.
   *
   * @throws StorageError `domain-taken` with the id of the record that has the domain, `website-limit-reached`,
   *   `refused-before` with one of these two, or `idempotency-key-reused`
   */
  create(accountId: number, website: NewWebsite, options: CreateOptions): Promise<Created>;

  /**
   * Finds what `create` would return without creating anything, because the request was acted on before.
   *
   * @throws StorageError `refused-before` or `idempotency-key-reused`
   */
  findCreated(accountId: number, idempotency: IdempotentRequest | undefined): Promise<Created | undefined>;

  /**
   * Reads the record, passes it to `decide`, and writes the change that `decide` returns if nobody changed the record since.
   * If somebody did, `decide` is called again with the newer record. If the change would alter nothing, the record and its
   * version stay the same.
   *
   * @returns the record after the change, or undefined if it does not exist
   */
  update(
    accountId: number,
    id: number,
    decide: (current: VersionedWebsite) => WebsiteChange,
    by: ChangeAuthor,
  ): Promise<VersionedWebsite | undefined>;

  /**
   * Reads the record, passes it to `decide`, which can throw to keep it, and deletes it if nobody changed it since. If
   * somebody did, `decide` is called again with the newer record.
   *
   * @returns whether the record existed
   */
  delete(
    accountId: number,
    id: number,
    decide: (current: VersionedWebsite) => void,
    by: ChangeAuthor,
  ): Promise<boolean>;
}

export interface CreateOptions {
  readonly by: ChangeAuthor;
  /** Undefined if the client sent no idempotency key. */
  readonly idempotency: IdempotentRequest | undefined;
}

/** A request with an idempotency key, which is acted on once, however often it is sent. */
export interface IdempotentRequest {
  readonly key: string;
  /** Identifies what the request says. Another request with the same key has another one. */
  readonly fingerprint: string;
}

export interface Created extends VersionedWebsite {
  /** Whether an earlier request with the same idempotency key created it. The record is then as it was created. */
  readonly isReplay: boolean;
}

/** The settings of a website that a client chooses. */
type WebsiteSettings = Omit<Website, "id" | "domain" | "has_password" | "created_at" | "updated_at">;

export interface NewWebsite extends WebsiteSettings {
  /** In canonical form. */
  readonly domain: string;
  /** Argon2id PHC string, or null if there is no password. */
  readonly passwordHash: string | null;
}

export interface WebsiteChange extends Partial<WebsiteSettings> {
  /** Argon2id PHC string. Null removes the password. Undefined keeps it. */
  readonly passwordHash?: string | null;
}

export interface WebsiteListRequest {
  /** A substring of the domain, in any case. It is not empty. */
  readonly search?: string;
  readonly sortBy: "id" | "domain";
  readonly sort: "asc" | "desc";
  /** The largest number of records. */
  readonly perPage: number;
  readonly start: PageStart | PositionStart;
}

/** Starts at a page number: skips `(page - 1) * perPage` records. */
interface PageStart {
  readonly page: number;
}

/** Starts at a position between two records (keyset pagination), in list order (`forward`) or against it (`backward`). */
export interface PositionStart {
  readonly position: ListPosition;
  readonly direction: "forward" | "backward";
}

/** The position right before or right after a record in list order. The record need not exist any more. */
export interface ListPosition {
  /** The record's id or domain, depending on `sortBy`. */
  readonly key: number | string;
  readonly side: "before" | "after";
}

export interface WebsiteList {
  /** In list order, even if the page was read backward. */
  readonly websites: Website[];
  /** The row version of each website, in the same order. */
  readonly versions: number[];
  /** Exact without a search. With one, exact up to `maxExactTotal` matches; with more matches it is that number. */
  readonly total: number;
  readonly totalRelation: "eq" | "gte";
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

/** An account without the API key that the interface returns with it. */
export type StoredAccount = Omit<Account, "api_key">;

export interface AccountStore {
  get(id: number): Promise<StoredAccount | undefined>;
  /** Returns the account with the lowest id, if the database has an account. */
  first(): Promise<StoredAccount | undefined>;
  /** Returns all accounts in order of id. */
  list(): Promise<StoredAccount[]>;
  /** Creates an account under the next id. The id of a deleted account is never used again. */
  create(account: AccountSettings, by: ChangeAuthor): Promise<StoredAccount>;
  /** @returns the account after the change, or undefined if it does not exist */
  update(id: number, change: Partial<AccountSettings>, by: ChangeAuthor): Promise<StoredAccount | undefined>;
  /**
   * Revokes the API keys of an account, and then deletes everything that belongs to it: websites, idempotency keys, the audit
   * trail, API keys, and the account itself. Each of many short transactions deletes some of it. If it is interrupted, call it
   * again.
   *
   * @returns what this call deleted, or undefined if the account does not exist
   * @throws the reason of the signal if it is aborted
   */
  delete(id: number, options: DeleteAccountOptions): Promise<DeletedRows | undefined>;
}

export interface DeleteAccountOptions {
  readonly by: ChangeAuthor;
  /**
   * For how long servers may still accept a revoked key. The account exists for at least as long, so that their requests find
   * it.
   */
  readonly revocationMs: number;
  /** Called after each transaction that deletes rows. */
  readonly onProgress?: (progress: DeletionProgress) => void;
  /** Called if the account is kept for a while, because servers may still accept a revoked key. */
  readonly onWait?: () => void;
  /** Stops the deletion between two transactions. */
  readonly signal?: AbortSignal;
}

interface DeletionProgress {
  readonly table: keyof DeletedRows;
  /** Rows that were deleted so far. */
  readonly done: number;
  /** Rows that there were when the deletion of the table began, or `done` if that is more. Counted up to a million. */
  readonly total: number;
}

/** How many rows of each table were deleted. */
export interface DeletedRows {
  readonly websites: number;
  readonly idempotency_keys: number;
  readonly audit_entries: number;
  readonly api_keys: number;
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
  /** Returns the keys of one account, or of all, in order of id. */
  list(accountId?: number): Promise<StoredApiKey[]>;
  /** @returns undefined if the account does not exist or is being deleted */
  create(key: NewApiKey, by: ChangeAuthor): Promise<StoredApiKey | "prefix-in-use" | undefined>;
  /**
   * Passes the key to `decide`, which can throw to keep it, and makes the change that it returns. A change that alters nothing
   * does not change the version.
   *
   * @returns the key after the change, or undefined if no key has this prefix
   */
  update(
    prefix: string,
    decide: (current: StoredApiKey) => ApiKeyChange,
    by: ChangeAuthor,
  ): Promise<StoredApiKey | undefined>;
  /**
   * Passes the key to `decide`, which can throw to keep it. Creates a key with the same account, name, scopes and rate limit,
   * and lets the old one expire, in one transaction.
   *
   * @returns both keys, or undefined if no key has this prefix
   */
  rotate(
    prefix: string,
    decide: (current: StoredApiKey) => ApiKeyRotation,
    by: ChangeAuthor,
  ): Promise<RotatedApiKey | "prefix-in-use" | undefined>;
  /** @returns the revoked key, or undefined if no key has this prefix. Revoking a key again keeps its first time. */
  revoke(prefix: string, by: ChangeAuthor): Promise<StoredApiKey | undefined>;
  /** Stores when keys were last used, by key id. An earlier time never replaces a later one. */
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
  /** Requests a minute. Null means the setting of the server, and 0 means no limit. */
  readonly rateLimit: number | null;
}

/** The settings of an API key that can change. Undefined keeps a setting. */
export interface ApiKeyChange {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: Date | null;
  readonly rateLimit?: number | null;
}

interface ApiKeyRotation {
  /** The key that replaces the old one. */
  readonly next: Pick<NewApiKey, "prefix" | "hash" | "expiresAt">;
  /** When the old key expires. It never expires later than it would have without the rotation. */
  readonly expiresAt: Date;
}

export interface RotatedApiKey {
  readonly old: StoredApiKey;
  readonly next: StoredApiKey;
}

export interface StoredApiKey extends NewApiKey {
  readonly id: number;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}
