import type { StorageError } from "../storage/storage-error.ts";
import { AppError } from "./app-error.ts";

const retryAfter = { "Retry-After": "1" };

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
        "The database failed while it committed this change, so the change may be stored. Read the record before you retry.",
        { headers: retryAfter, extension: { outcome: "unknown" }, cause },
      );
    case "domain-taken":
      return new AppError(
        "domain_taken",
        `Website ${failure.websiteId} of this account already has the domain "${failure.domain}". Update that website, or choose another domain.`,
        { extension: { website_id: failure.websiteId } },
      );
    case "website-limit-reached":
      return new AppError(
        "website_limit_reached",
        `This account has reached its limit of ${failure.limit} websites. Delete a website, or ask the operator for a higher limit.`,
        { extension: { limit: failure.limit } },
      );
  }
}
