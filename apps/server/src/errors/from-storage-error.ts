import type { StorageError } from "../storage/storage-error.ts";
import { AppError } from "./app-error.ts";

const retryAfter = { "Retry-After": "1" };

/** Says what each failure of storage is to a client. The compiler asks for an answer to every one. */
export function fromStorageError({ failure, cause }: StorageError): AppError {
  switch (failure.reason) {
    case "unavailable":
      return new AppError("unavailable", "The database cannot do this right now. Retry in a moment.", {
        headers: retryAfter,
        cause,
      });
    case "outcome-unknown":
      return new AppError(
        "unavailable",
        "The database failed while it committed this change, which may have been kept. Read the record before you retry.",
        { headers: retryAfter, extension: { outcome: "unknown" }, cause },
      );
    case "domain-taken":
      return new AppError(
        "domain_taken",
        `Website ${failure.websiteId} of this account already has the domain "${failure.domain}".`,
        { extension: { website_id: failure.websiteId } },
      );
    case "website-limit-reached":
      return new AppError(
        "website_limit_reached",
        `This account has reached its limit of ${failure.limit} websites. Delete a website, or have the limit raised.`,
        { extension: { limit: failure.limit } },
      );
  }
}
