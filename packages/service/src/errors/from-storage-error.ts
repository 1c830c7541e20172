import type { Refusal, StorageError } from "../storage-error.ts";
import { AppError } from "./app-error.ts";
import { asReplayed, changeLimitReached, domainTaken, idempotencyKeyReused, websiteLimitReached } from "./refusals.ts";

const retryAfter = { "Retry-After": "1" };
/** The operator, or a failover, takes longer than a busy database. Each call of the SDK waits for it twice by default. */
const retryLater = { "Retry-After": "5" };

/** Returns what a client is told about each failure of storage. If one is missing, this does not compile. */
export function fromStorageError({ failure, cause }: StorageError): AppError {
  switch (failure.reason) {
    case "unavailable":
      return new AppError(
        "unavailable",
        "The database is busy or cannot be reached. Nothing was changed. Retry the request in a moment.",
        {
          headers: retryAfter,
          ...(failure.isQueueFull ? { reason: "full_queue" } : {}),
          cause,
        },
      );
    case "not-migrated":
      return new AppError(
        "unavailable",
        "A table is missing from the database. Nothing was changed. Retry the request once the operator has run " +
          "`siteward-server migrate`, with Citus on its coordinator.",
        { headers: retryAfter, cause },
      );
    case "read-only":
      return new AppError(
        "unavailable",
        "The database is read-only and accepts no changes. Nothing was changed. " +
          "Retry the request once the operator has made the database writable.",
        { headers: retryLater, cause },
      );
    case "not-permitted":
      return new AppError(
        "unavailable",
        "The database denies this to the server. Nothing was changed. " +
          "Retry the request once the operator has granted the server the right.",
        { headers: retryLater, cause },
      );
    case "outcome-unknown":
      return new AppError(
        "unavailable",
        "The database failed while it committed this change, so the change may be stored. " +
          "Retry the request, a POST only with its idempotency key.",
        { headers: retryAfter, extension: { outcome: "unknown" }, cause },
      );
    case "refused-before":
      return asReplayed(fromRefusal(failure.refusal));
    case "idempotency-key-reused":
      return idempotencyKeyReused();
    case "change-limit-reached":
      return changeLimitReached(failure);
    default:
      return fromRefusal(failure);
  }
}

function fromRefusal(refusal: Refusal): AppError {
  switch (refusal.reason) {
    case "domain-taken":
      return domainTaken(refusal);
    case "website-limit-reached":
      return websiteLimitReached(refusal.limit);
  }
}
