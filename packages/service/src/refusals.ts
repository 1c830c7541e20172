import { AppError, type Failure, type RefusalReason } from "./app-error.ts";

/** Returns a refusal that names each bad field, what is wrong with it, and what to send instead. */
export function validationFailed(errors: Readonly<Record<string, string[]>>): AppError {
  const fields = Object.keys(errors);
  const detail = `Invalid request: ${fields.map((field) => `${field} ${errors[field]?.[0] ?? ""}`).join(". ")}.`;
  return new AppError("validation_failed", detail, { facts: { errors: { ...errors } } });
}

/** Returns the same answer for an ID that was never used, one that was deleted, and one of another account. */
export function websiteNotFound(): AppError {
  return new AppError("not_found", "No website has this ID.");
}

// Created once: an error notes where it was created, which takes 10 µs, more than an answer.
/** The refusal of a request without an API key. */
export const noApiKey: AppError = unauthenticated(
  'The request has no API key. Send the header "Authorization: Bearer <API key>".',
);
/** The refusal of a request whose Authorization header has no API key. */
export const invalidAuthorization: AppError = unauthenticated(
  'The Authorization header is not valid. Send "Authorization: Bearer <API key>". ' +
    'An API key consists of letters, digits and "_".',
);
/** The refusal of a request whose API key is not valid, whatever the reason. */
export const invalidApiKey: AppError = unauthenticated(
  "The API key is mistyped, unknown, revoked or expired. Send a valid API key.",
  ', error="invalid_token"',
);
/** The refusal of a request whose client has left. Nobody receives it. */
export const clientDisconnected: AppError = new AppError(
  "unavailable",
  "The client closed the connection. Nothing was changed.",
  { reason: "disconnected" },
);

/** @param challengeError what the challenge says about the key that was sent */
function unauthenticated(detail: string, challengeError = ""): AppError {
  return new AppError("unauthenticated", detail, {
    facts: { challenge: `Bearer realm="siteward"${challengeError}` },
  });
}

/** Returns the refusal of a create whose domain another website of the account has. */
export function domainTaken({ websiteId, domain }: { websiteId: number; domain: string }): AppError {
  return new AppError(
    "domain_taken",
    `Website ${websiteId} of this account already has the domain "${domain}". ` +
      "Update that website, or choose another domain.",
    { facts: { website_id: websiteId } },
  );
}

/** Returns the refusal of a create in an account that has as many websites as it may have. */
export function websiteLimitReached(limit: number): AppError {
  return new AppError(
    "website_limit_reached",
    `This account has reached its limit of ${limit} websites. ` +
      "Delete a website, or ask the operator for a higher limit.",
    { facts: { limit } },
  );
}

/** Whether an error is an outcome of its request, which is kept for its idempotency key. */
export function isOutcome(error: unknown): error is AppError {
  return isRefusedFor(error, "domain_taken", "website_limit_reached") && error.facts.isReplayed !== true;
}

/** What the account has left in the audit trail. */
interface ReachedLimit {
  /** The limit. */
  readonly megabytes: number;
  /** Whether the change is a deletion: these have half as much again, and that is reached too. */
  readonly isDeletion: boolean;
  /** When the change was refused, in milliseconds since 1970. */
  readonly atMs: number;
}

const dayMs = 86_400_000;

/** Returns the refusal of a change in an account whose changes have left as much as they may in a day (UTC). */
export function changeLimitReached({ megabytes, isDeletion, atMs }: ReachedLimit): AppError {
  const endMs = (Math.floor(atMs / dayMs) + 1) * dayMs;
  const end = new Date(endMs).toISOString().replace(".000Z", "Z");
  return new AppError(
    "change_limit_reached",
    `The changes of this account have reached their limit of ${megabytes} MB in the audit trail in a day (UTC)` +
      (isDeletion
        ? ", and its deletions their limit of half as much again. Reads still work. Retry the deletion "
        : ". Reads still work, and deletions until they have left half as much again. Retry the change ") +
      `after ${end}, or ask the operator for a higher limit.`,
    { facts: { retryAfterS: Math.ceil((endMs - atMs) / 1000) } },
  );
}

/** Returns the refusal that an earlier request with the same idempotency key had. */
export function replayed({ facts, ...refusal }: Failure): AppError {
  return AppError.from({ ...refusal, facts: { ...facts, isReplayed: true } });
}

/** Returns the refusal of a request whose idempotency key was first sent with another request. */
export function idempotencyKeyReused(): AppError {
  return new AppError(
    "idempotency_key_reused",
    "This idempotency key was first sent with another request. Use a new key for a new request.",
  );
}

/** Returns the refusal of a request while the first one with its idempotency key is still being answered. */
export function idempotencyInProgress(): AppError {
  return new AppError(
    "idempotency_in_progress",
    "An earlier request with this idempotency key is still being answered. Retry the request in a moment.",
    { facts: { retryAfterS: 1 } },
  );
}

/** Returns the failure of a database that is locked, full or failing. Nothing was stored. */
export function databaseBusy(cause: unknown): AppError {
  return new AppError("unavailable", busy, { facts: retryAfter, cause });
}

/** Returns the refusal of a call of storage while too many wait. */
export function tooManyWait(cause?: unknown): AppError {
  return new AppError("unavailable", busy, { facts: retryAfter, reason: "full_queue", cause });
}

const busy = "The database is busy or cannot be reached. Nothing was changed. Retry the request in a moment.";
const retryAfter = { retryAfterS: 1 } as const;
/** The operator, or a failover, takes longer than a busy database. */
const retryLater = { retryAfterS: 5 } as const;

/** Returns the failure of a database that lacks a table that this version needs. */
export function databaseNotMigrated(cause: unknown): AppError {
  const detail =
    "A table is missing from the database. Nothing was changed. Retry the request once the operator has run " +
    "`siteward-server migrate`, with Citus on its coordinator.";
  return new AppError("unavailable", detail, { facts: retryAfter, reason: "database_not_migrated", cause });
}

/** Returns the failure of a database that accepts no changes until the operator or a failover makes it writable. */
export function databaseReadOnly(cause: unknown): AppError {
  const detail =
    "The database is read-only and accepts no changes. Nothing was changed. " +
    "Retry the request once the operator has made the database writable.";
  return new AppError("unavailable", detail, { facts: retryLater, reason: "database_read_only", cause });
}

/** Returns the failure of a database that denies the server a right, until the operator grants it. */
export function databaseNotPermitted(cause: unknown): AppError {
  const detail =
    "The database denies this to the server. Nothing was changed. " +
    "Retry the request once the operator has granted the server the right.";
  return new AppError("unavailable", detail, { facts: retryLater, reason: "database_not_permitted", cause });
}

/** Returns the failure of a change that may have been stored: the database failed or was lost during the commit. */
export function outcomeUnknown(cause: unknown): AppError {
  const detail =
    "The database failed while it committed this change, so the change may be stored. " +
    "Retry the request, a POST only with its idempotency key.";
  const facts = { ...retryAfter, outcome: "unknown" } as const;
  return new AppError("unavailable", detail, { facts, reason: "outcome_unknown", cause });
}

/** Whether an error has this reason. */
export function isRefusedFor(error: unknown, ...reasons: readonly RefusalReason[]): error is AppError {
  return error instanceof AppError && reasons.includes(error.reason);
}

/** Whether the database refuses this until the operator acts: it accepts no changes, or denies the server a right. */
export function isForOperator(error: unknown): error is AppError {
  return isRefusedFor(error, "database_read_only", "database_not_permitted");
}
