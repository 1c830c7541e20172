/** Why storage failed, in the cases that its callers handle. */
export type StorageFailure =
  /** The database cannot answer or store a change now: it is locked, full or failing. Nothing of the change was stored. */
  | { readonly reason: "unavailable" /** Whether too many wait for it. */; readonly isQueueFull?: boolean }
  /** The database lacks a table that this version needs. Nothing of the change was stored. */
  | { readonly reason: "not-migrated" }
  /** The database accepts no changes until the operator or a failover makes it writable. Nothing of the change was stored. */
  | { readonly reason: "read-only" }
  /** The database denies the server a right, until the operator grants it. Nothing of the change was stored. */
  | { readonly reason: "not-permitted" }
  /** The database failed or was lost during the commit. The change may or may not have been stored. */
  | { readonly reason: "outcome-unknown" }
  | Refusal
  /** An earlier request with the same idempotency key was refused. */
  | { readonly reason: "refused-before"; readonly refusal: Refusal }
  /** An earlier request with the same idempotency key was another request. */
  | { readonly reason: "idempotency-key-reused" }
  | ChangeLimitReached;

/** The changes of the account have left as much as they may in a day (UTC). Nothing of the change was stored. */
export interface ChangeLimitReached {
  readonly reason: "change-limit-reached";
  /** The limit. */
  readonly megabytes: number;
  /** Whether the change is a deletion: these have half as much again, and that is reached too. */
  readonly isDeletion: boolean;
  /** When the change was refused, in milliseconds since 1970. */
  readonly atMs: number;
}

/** Why storage refused a change. It is an outcome of the request, which is kept for its idempotency key. */
export type Refusal =
  /** Another website of the account has the domain. */
  | { readonly reason: "domain-taken"; readonly domain: string; readonly websiteId: number }
  /** The account has as many websites as its limit allows. */
  | { readonly reason: "website-limit-reached"; readonly limit: number };

/** A failure that callers of storage handle. Any other error that storage throws is a bug. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly failure: StorageFailure;

  /** @param cause the error of the database or its driver, if there was one */
  constructor(failure: StorageFailure, cause?: unknown) {
    super(messages[failure.reason], { cause });
    this.failure = failure;
  }
}

/** Returns the error for a database that cannot answer or store a change now. */
export function storageUnavailable(cause: unknown): StorageError {
  return new StorageError({ reason: "unavailable" }, cause);
}

/** Returns the error for a database that lacks a table. */
export function storageNotMigrated(cause: unknown): StorageError {
  return new StorageError({ reason: "not-migrated" }, cause);
}

/** Returns the error for a database that accepts no changes, because they are not permitted in it. */
export function storageReadOnly(cause: unknown): StorageError {
  return new StorageError({ reason: "read-only" }, cause);
}

/** Returns the error for a database that denies the server a right. */
export function storageNotPermitted(cause: unknown): StorageError {
  return new StorageError({ reason: "not-permitted" }, cause);
}

/** Whether the database accepts no changes. */
export function isStorageReadOnly(error: unknown): error is StorageError {
  return error instanceof StorageError && error.failure.reason === "read-only";
}

/** Whether the database refuses this until the operator acts: it accepts no changes, or denies the server a right. */
export function isStorageRefusal(error: unknown): error is StorageError {
  return isStorageReadOnly(error) || (error instanceof StorageError && error.failure.reason === "not-permitted");
}

/** Returns the error for a change that is refused because too many wait. It has no cause: the database has not failed. */
export function tooManyChangesWait(): StorageError {
  return new StorageError({ reason: "unavailable", isQueueFull: true });
}

/** Returns the error for a call that is refused because too many wait for the database. */
export function tooManyCallsWait(cause: unknown): StorageError {
  return new StorageError({ reason: "unavailable", isQueueFull: true }, cause);
}

/** Returns the error for a change that may or may not have been stored. */
export function storageOutcomeUnknown(cause: unknown): StorageError {
  return new StorageError({ reason: "outcome-unknown" }, cause);
}

/** Whether a change that failed may have been stored. It must not be retried without telling the client. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof StorageError && error.failure.reason === "outcome-unknown";
}

/** Returns why storage refused a change. Undefined if the error is another one. */
export function readRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof StorageError)) return undefined;
  const { failure } = error;
  return failure.reason === "domain-taken" || failure.reason === "website-limit-reached" ? failure : undefined;
}

/** For the log and the operator. What clients read is written where failures become responses. */
const messages: Readonly<Record<StorageFailure["reason"], string>> = {
  unavailable: "The database is busy or cannot be reached.",
  "not-migrated": "A table is missing from the database. Run `siteward-server migrate`, with Citus on its coordinator.",
  "read-only": "The database is read-only and accepts no changes.",
  "not-permitted": "The user of the database URL lacks a privilege.",
  "outcome-unknown": "The database failed while it committed a change, so the change may be stored.",
  "domain-taken": "Another website of the account has the domain.",
  "website-limit-reached": "The account has reached its limit of websites.",
  "refused-before": "An earlier request with this idempotency key was refused.",
  "change-limit-reached": "The changes of the account have left as much as they may in a day.",
  "idempotency-key-reused": "The idempotency key belongs to another request.",
};
