import type { Account } from "@siteward/contract";
import type { WebsiteChanges, WebsiteChangesRequest } from "./lists/website-changes.ts";
import type { WebsiteList, WebsiteListRequest } from "./lists/website-list.ts";
import type { VersionedWebsite, WebsiteChange, WebsiteSettings } from "./records/website-change.ts";

/**
 * What the operations ask of storage, whatever keeps the data: plain calls, without HTTP and without an engine. Each call names
 * its account and touches no other. Nothing is found in an account that does not exist, and `create` throws an
 * error.
 *
 * What fails is an `AppError` of `refusals.ts`. Any call can throw `databaseBusy` or `tooManyWait`, `databaseNotMigrated` if a table is
 * missing, and `databaseNotPermitted` if the server lacks a right: nothing of the change was stored. Any call that changes something can
 * also throw `outcomeUnknown`, and `databaseReadOnly` if the database accepts no changes.
 */
export interface ServiceStorage {
  readonly websites: WebsiteStore;
  readonly accounts: {
    get(id: number): Promise<StoredAccount | undefined>;
  };
}

export interface WebsiteStore {
  list(accountId: number, request: WebsiteListRequest): Promise<WebsiteList>;

  /**
   * Reads the changes after a position, in the order in which they were committed. Nothing is missed: the number of a change is one
   * more than that of the change committed before it.
   *
   * @returns `"expired"` if they are not all known, or the position was never reached
   */
  changes(accountId: number, request: WebsiteChangesRequest): Promise<WebsiteChanges | "expired">;

  get(accountId: number, id: number): Promise<VersionedWebsite | undefined>;

  /**
   * Inserts a website under the account's next id. If a request with the same idempotency key was acted on before, it does
   * nothing but return or throw the outcome of that one.
   *
   * @throws AppError `domain_taken` with the id of the record that has the domain, `website_limit_reached`, the replay of one of
   *   these two, `idempotency_key_reused`, or `change_limit_reached`
   */
  create(accountId: number, website: NewWebsite, options: CreateOptions): Promise<Created>;

  /**
   * Finds what `create` would return without creating anything, because the request was acted on before.
   *
   * @throws AppError the replay of a refusal, or `idempotency_key_reused`
   */
  findCreated(accountId: number, idempotency: IdempotentRequest | undefined): Promise<Created | undefined>;

  /**
   * Passes the record to `decide`, and writes the change that `decide` returns if nobody changed the record since. If somebody
   * did, `decide` is called again with the newer record. If the change would alter nothing, the record and its version stay the
   * same. `decide` may also be called with an outdated record first. Then nothing that it throws or returns counts.
   *
   * @returns the record after the change, or undefined if it does not exist
   * @throws AppError `change_limit_reached`, but not if the change would alter nothing
   */
  update(
    accountId: number,
    id: number,
    decide: (current: VersionedWebsite) => WebsiteChange,
    by: ChangeAuthor,
  ): Promise<VersionedWebsite | undefined>;

  /**
   * Passes the record to `decide`, which can throw to keep it, and deletes it if nobody changed it since. `decide` is called as
   * for an update.
   *
   * @returns whether the record existed
   * @throws AppError `change_limit_reached`
   */
  delete(
    accountId: number,
    id: number,
    decide: (current: VersionedWebsite) => void,
    by: ChangeAuthor,
  ): Promise<boolean>;
}

/** An account without the API key that the interface returns with it. */
export type StoredAccount = Omit<Account, "api_key">;

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

/** Who makes a change, for the audit trail. Either `apiKey` or `operator` is null. */
export interface ChangeAuthor {
  /** The prefix of an API key. */
  readonly apiKey: string | null;
  /** The name of the operating system's user who runs a command. */
  readonly operator: string | null;
  readonly requestId: string | null;
}
