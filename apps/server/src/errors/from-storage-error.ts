import type { Refusal, StorageError } from "../storage/storage-error.ts";
import { AppError } from "./app-error.ts";

const retryAfter = { "Retry-After": "1" };

/** The header of a refusal that an earlier request with the same idempotency key had. */
const replayedHeader = { "Idempotency-Replayed": "true" };

/** Returns what a client is told about each failure of storage. If one is missing, this does not compile. */
export function fromStorageError({ failure, cause }: StorageError): AppError {
  switch (failure.reason) {
    case "unavailable":
      return new AppError(
        "unavailable",
        "The database is busy or cannot be reached. Nothing was changed. Retry the request in a moment.",
        {
          headers: retryAfter,
          cause,
        },
      );
    case "outcome-unknown":
      return new AppError(
        "unavailable",
        "The database failed while it committed this change, so the change may be stored. Retry the request, a POST only with its idempotency key.",
        { headers: retryAfter, extension: { outcome: "unknown" }, cause },
      );
    case "refused-before":
      return fromRefusal(failure.refusal, replayedHeader);
    case "idempotency-key-reused":
      return idempotencyKeyReused();
    default:
      return fromRefusal(failure);
  }
}

function fromRefusal(refusal: Refusal, headers: Readonly<Record<string, string>> = {}): AppError {
  switch (refusal.reason) {
    case "domain-taken":
      return new AppError(
        "domain_taken",
        `Website ${refusal.websiteId} of this account already has the domain "${refusal.domain}". Update that website, or choose another domain.`,
        { extension: { website_id: refusal.websiteId }, headers },
      );
    case "website-limit-reached":
      return new AppError(
        "website_limit_reached",
        `This account has reached its limit of ${refusal.limit} websites. Delete a website, or ask the operator for a higher limit.`,
        { extension: { limit: refusal.limit }, headers },
      );
  }
}

/** Returns the refusal of a request whose idempotency key was first sent with another request. */
export function idempotencyKeyReused(): AppError {
  return new AppError(
    "idempotency_key_reused",
    "This idempotency key was first sent with another request. Use a new key for a new request.",
  );
}
