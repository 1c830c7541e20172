import type { Account, Website, WebsiteSettings } from "@siteward/contract";

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
  findCreated(accountId: number, idempotency: IdempotentRequest): Promise<Created | undefined>;

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

export interface WebsiteListRequest {
  /** A part of the domain in its ASCII or its Unicode form, in any case. It is not empty. */
  readonly search?: string;
  readonly sortBy: "id" | "domain";
  readonly sort: "asc" | "desc";
  /** The largest number of records. */
  readonly perPage: number;
  /** A page number skips `(page - 1) * perPage` records. */
  readonly start: { readonly page: number } | PositionStart;
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
  readonly websites: VersionedWebsite[];
  /** Exact without a search. With one, exact up to `maxExactTotal` matches; with more matches it is that number. */
  readonly total: number;
  readonly totalRelation: "eq" | "gte";
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  /** The newest change when the page was read, or an earlier one. It is never one that the page does not show yet. */
  readonly changes: ChangePosition;
}

/**
 * A position in the changes of an account: how many changes of websites were counted up to it, and the time of the last of
 * them. The time only tells whether it is still the same change. It may be before that of an earlier one, because clocks
 * differ.
 */
export interface ChangePosition {
  readonly number: number;
  /** In milliseconds since 1970. At number 0, it is when the count began. */
  readonly at: number;
}

export interface WebsiteChangesRequest {
  readonly since: ChangePosition;
  /** The largest number of changes. */
  readonly perPage: number;
}

/** What some changes led to. */
export interface WebsiteChanges {
  /** The websites that were changed and exist, each once, as they are now, in the order of their newest changes. */
  readonly websites: VersionedWebsite[];
  /** The ids of the websites that were changed and do not exist any more. */
  readonly deletedIds: number[];
  /** The position after these changes. */
  readonly end: ChangePosition;
  /** That after the newest change when the websites were read. If its number is higher than that of the end, there are more. */
  readonly newest: ChangePosition;
  /** How many websites the account has. */
  readonly total: number;
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

/** A record and its row version, from 1 up, of which the entity tag is made. */
export interface VersionedWebsite {
  readonly website: Website;
  readonly version: number;
}

export interface WebsiteChange extends Partial<WebsiteSettings> {
  /** Argon2id PHC string. Null removes the password. Undefined keeps it. */
  readonly passwordHash?: string | null;
}
