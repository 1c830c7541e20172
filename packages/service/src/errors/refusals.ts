import type { ChangeLimitReached } from "../storage-error.ts";
import { AppError } from "./app-error.ts";

const dayMs = 86_400_000;

/** Returns the refusal of a create whose domain another website of the account has. */
export function domainTaken({ websiteId, domain }: { websiteId: number; domain: string }): AppError {
  return new AppError(
    "domain_taken",
    `Website ${websiteId} of this account already has the domain "${domain}". ` +
      "Update that website, or choose another domain.",
    { extension: { website_id: websiteId } },
  );
}

/** Returns the refusal of a create in an account that has as many websites as it may have. */
export function websiteLimitReached(limit: number): AppError {
  return new AppError(
    "website_limit_reached",
    `This account has reached its limit of ${limit} websites. ` +
      "Delete a website, or ask the operator for a higher limit.",
    { extension: { limit } },
  );
}

/** Returns the refusal of a change in an account whose changes have left as much as they may in a day. */
export function changeLimitReached({ megabytes, isDeletion, atMs }: Omit<ChangeLimitReached, "reason">): AppError {
  const endMs = (Math.floor(atMs / dayMs) + 1) * dayMs;
  const end = new Date(endMs).toISOString().replace(".000Z", "Z");
  return new AppError(
    "change_limit_reached",
    `The changes of this account have reached their limit of ${megabytes} MB in the audit trail in a day (UTC)` +
      (isDeletion
        ? ", and its deletions their limit of half as much again. Reads still work. Retry the deletion "
        : ". Reads still work, and deletions until they have left half as much again. Retry the change ") +
      `after ${end}, or ask the operator for a higher limit.`,
    { headers: { "Retry-After": String(Math.ceil((endMs - atMs) / 1000)) } },
  );
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
    { headers: { "Retry-After": "1" } },
  );
}

/** The header of an answer that an earlier request with the same idempotency key had. */
export const replayedHeader = ["Idempotency-Replayed", "true"] as const;

/** Returns a refusal that an earlier request with the same idempotency key had. */
export function asReplayed({ code, message, extension, headers }: AppError): AppError {
  return new AppError(code, message, { extension, headers: { ...headers, ...Object.fromEntries([replayedHeader]) } });
}
