/**
 * The closed set of errors that the service returns, as plain data: reading it loads no schema library.
 *
 * `status` is the HTTP status, and `title` is the short summary of RFC 9457. The documentation page that `type` points to shows
 * `meaning` and `remedy`.
 */
export const errorCodes = {
  malformed_request: {
    status: 400,
    title: "Malformed request",
    meaning: "The request could not be read: its body is not valid JSON or form data, or its headers are ambiguous.",
    remedy: "Correct the request. `detail` says what could not be read.",
  },
  unauthenticated: {
    status: 401,
    title: "Authentication required",
    meaning: "The request has no API key, or its API key is mistyped, unknown, revoked or expired.",
    remedy: "Send `Authorization: Bearer <API key>` with a valid API key.",
  },
  insufficient_scope: {
    status: 403,
    title: "Scope missing",
    meaning: "The API key is valid but does not have the scope that this operation needs.",
    remedy: "Use an API key that has the scope in `required_scope`.",
  },
  website_limit_reached: {
    status: 403,
    title: "Website limit reached",
    meaning: "The account has reached its limit of websites.",
    remedy: "Delete a website, or ask the operator for a higher limit. `limit` is the current limit.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    meaning: "The path does not exist, or the account has no website with this ID.",
    remedy: "Check the path and the ID. An ID of another account gets the same response as an ID that never existed.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    meaning: "The path exists but does not support this method.",
    remedy: "Use one of the methods in the `Allow` header.",
  },
  domain_taken: {
    status: 409,
    title: "Domain taken",
    meaning: "The account already has a website with this domain.",
    remedy: "Update the website with the ID in `website_id` instead, or choose another domain.",
  },
  idempotency_in_progress: {
    status: 409,
    title: "Request in progress",
    meaning: "The first request with this idempotency key is still running.",
    remedy: "Retry the request after the number of seconds in `Retry-After`, with the same key.",
  },
  cursor_expired: {
    status: 410,
    title: "Cursor expired",
    meaning:
      "Some of the changes since the cursor in `changed_since` are no longer available. Changes are kept for a limited time, and a " +
      "database that was restored from a backup does not have the newest ones.",
    remedy:
      "Read all websites again, from the first page of the list without a cursor. " +
      "Then continue with `meta.changes_cursor` of that first page.",
  },
  precondition_failed: {
    status: 412,
    title: "Precondition failed",
    meaning:
      "The condition in `If-Match` or `If-None-Match` is not met. Usually the record was changed after it was read.",
    remedy: "Read the record again, then retry the request with its current entity tag, which `ETag` contains.",
  },
  body_too_large: {
    status: 413,
    title: "Body too large",
    meaning: "The request body is larger than 64 KiB.",
    remedy: "Send a smaller body.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    meaning: "The format, encoding or charset of the request body is not supported.",
    remedy: "Send `application/x-www-form-urlencoded` or `application/json`, in UTF-8.",
  },
  validation_failed: {
    status: 422,
    title: "Validation failed",
    meaning: "One or more fields or parameters are missing, unknown or have an invalid value.",
    remedy:
      "Correct the fields in `errors`. It lists every invalid field, what is wrong with it and what to send instead.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "Idempotency key reused",
    meaning: "The idempotency key was first sent with a different request.",
    remedy: "Send a new idempotency key with each new request.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    meaning: "The API key has sent more requests than its limit allows, or the client address too many invalid keys.",
    remedy: "Retry the request after the number of seconds in `Retry-After`.",
  },
  change_limit_reached: {
    status: 429,
    title: "Change limit reached",
    meaning:
      "The changes of the account have left as much in the audit trail as they may in a day (UTC). Nothing was changed. " +
      "Reads still work, and deletions until they have left half as much again.",
    remedy:
      "Retry the change after the number of seconds in `Retry-After`, which end at midnight UTC, " +
      "or ask the operator for a higher limit.",
  },
  internal: {
    status: 500,
    title: "Internal error",
    meaning: "The service failed. Nothing was changed.",
    remedy: "Retry the request. If it fails again, send the `request_id` to the operator.",
  },
  unavailable: {
    status: 503,
    title: "Temporarily unavailable",
    meaning:
      "The service cannot answer right now, for example because it is shutting down or its database is busy. " +
      "Nothing was changed unless `outcome` is `unknown`.",
    remedy:
      "Retry the request after the number of seconds in `Retry-After`. " +
      "If `outcome` is `unknown`, retry a POST only with its idempotency key; " +
      "without one, first read whether the change was stored.",
  },
} as const satisfies Record<string, ErrorDescription>;

/** A member of the closed set of error codes. */
export type ErrorCode = keyof typeof errorCodes;

/** The HTTP status that belongs to an error code. */
export type ErrorStatus<Code extends ErrorCode = ErrorCode> = (typeof errorCodes)[Code]["status"];

interface ErrorDescription {
  readonly status: number;
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}
