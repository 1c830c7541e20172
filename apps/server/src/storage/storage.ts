import type { Website } from "@siteward/contract";
import type { AccountStore } from "./account-storage.ts";
import type { ApiKeyStore } from "./api-key-storage.ts";
import type { AuditStore } from "./audit-trail.ts";
import type { ChangeAuthor } from "./change-author.ts";
import type { RetentionStore } from "./retention.ts";

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
