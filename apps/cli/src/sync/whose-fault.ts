import { type ErrorCode, isApiError } from "@siteward/sdk";
import { CliError } from "../process/cli-error.ts";

/** Whom an error concerns: the website whose change met it, or everyone, since every other change would meet it too. */
type Fault = "website" | "everyone";

/**
 * Says whom the error of a change concerns. This decides the word for its website, in `import` and in `apply`:
 *
 * - `refused`: it is the website's own. What was to be done does not fit the rules of the service, or the website as it
 *   is now. Other websites can be done.
 * - `failed`: it is everyone's. Nothing is wrong with the website, and the same command does it once the cause is gone.
 *   To go on would only send requests that fail too: 10,000 of them for a revoked key. So the run stops, and the rest
 *   is `not_tried`.
 *
 * What is not known to be a website's own is everyone's: a page of a proxy, a lost connection, a code of a newer
 * service. If that is wrong, a run ends early, and the same command again does the rest. The other way round, thousands
 * of requests would fail.
 */
export function whoseFault(error: unknown): Fault {
  // Somebody else changed this website. The other errors of the CLI itself, such as a missing entity tag, are no
  // website's own.
  if (error instanceof CliError) return error.code === "changed_meanwhile" ? "website" : "everyone";
  return isApiError(error) && isKnownCode(error.code) ? faults[error.code] : "everyone";
}

/** Every error code of the contract. A code without an entry here does not compile. */
const faults = {
  malformed_request: "website",
  unauthenticated: "everyone",
  insufficient_scope: "everyone",
  // A website that exists could still be updated. But a file mostly creates, and each further create would be refused.
  website_limit_reached: "everyone",
  not_found: "website",
  // The service that answers does not have the operation.
  method_not_allowed: "everyone",
  domain_taken: "website",
  // The service still works on an earlier attempt of this create, which the SDK has waited for. It is too slow for the others too.
  idempotency_in_progress: "everyone",
  precondition_failed: "website",
  body_too_large: "website",
  // All bodies have the same type.
  unsupported_media_type: "everyone",
  validation_failed: "website",
  idempotency_key_reused: "website",
  // No command follows the changes of the account.
  cursor_expired: "everyone",
  // It was waited for before, so the service asks for more than a minute, or has refused 100 times.
  rate_limited: "everyone",
  // The account may change nothing more before midnight.
  change_limit_reached: "everyone",
  // The SDK has retried these two.
  internal: "everyone",
  unavailable: "everyone",
} as const satisfies Record<ErrorCode, Fault>;

function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(faults, code);
}

/** Returns why a request for one website failed, on one line: what is wrong with each field, if the service says it. */
export function reasonOfError(error: unknown): string {
  if (!isApiError(error)) return error instanceof Error ? error.message : String(error);
  const { errors, detail, title } = error;
  const faults = Object.entries(errors).flatMap(([field, messages]) => messages.map((text) => `${field} ${text}`));
  return faults.length > 0 ? faults.join("; ") : detail || title;
}
