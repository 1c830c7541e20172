import type {
  VersionedWebsite,
  WebsiteChange,
  WebsiteList,
  WebsiteListRequest,
  WebsiteSettings,
} from "@siteward/service";
import type { AccountStore } from "./account-storage.ts";
import type { ApiKeyStore } from "./api-key-storage.ts";
import type { AuditStore } from "./audit-trail.ts";
import type { ChangeAuthor } from "./change-author.ts";
import type { RetentionStore } from "./retention.ts";

export type {
  ListPosition,
  VersionedWebsite,
  WebsiteChange,
  WebsiteList,
  WebsiteListRequest,
} from "@siteward/service";
export type { AccountSettings, DeleteAccountOptions, DeletedRows, StoredAccount } from "./account-storage.ts";
export type { ApiKeyChange, NewApiKey, RotatedApiKey, StoredApiKey } from "./api-key-storage.ts";
export type { AccountStore, ApiKeyStore, ChangeAuthor };

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

export interface NewWebsite extends WebsiteSettings {
  /** In canonical form. */
  readonly domain: string;
  /** Argon2id PHC string, or null if there is no password. */
  readonly passwordHash: string | null;
}
