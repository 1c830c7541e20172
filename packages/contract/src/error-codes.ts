/**
 * The closed set of errors the service answers with, as plain data: no schema library is loaded to read it.
 *
 * `status` is the HTTP status, `title` the short summary of RFC 9457, `meaning` and `remedy` the text of the code's page
 * in the documentation that `type` points to.
 */
export const errorCodes = {
  malformed_request: {
    status: 400,
    title: "Malformed request",
    meaning: "The request could not be read: its body is not valid JSON or form data, or its headers are ambiguous.",
    remedy: "Send a well-formed request; `detail` says what could not be read.",
  },
  unauthenticated: {
    status: 401,
    title: "Authentication required",
    meaning: "The request has no API key, or one that is mistyped, unknown, revoked or expired.",
    remedy: "Send `Authorization: Bearer <API key>` with a key that is in force.",
  },
  insufficient_scope: {
    status: 403,
    title: "Scope missing",
    meaning: "The API key is in force but was not given the scope that this operation needs.",
    remedy: "Use a key that has the scope named in `required_scope`.",
  },
  website_limit_reached: {
    status: 403,
    title: "Website limit reached",
    meaning: "The account holds as many websites as it may.",
    remedy: "Delete a website, or ask the operator for a higher limit; `limit` is the present one.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    meaning: "There is nothing at this address for this account.",
    remedy: "Check the path and the id. An id of another account is answered the same way as one that never was.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    meaning: "The path exists but does not take this method.",
    remedy: "Use one of the methods in the `Allow` header.",
  },
  domain_taken: {
    status: 409,
    title: "Domain taken",
    meaning: "The account already has a website with this domain.",
    remedy: "Update the website named by `website_id` instead, or choose another domain.",
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
    meaning: "The request body is in a format, encoding or charset that is not read here.",
    remedy: "Send `application/x-www-form-urlencoded` or `application/json`, in UTF-8.",
  },
  validation_failed: {
    status: 422,
    title: "Validation failed",
    meaning: "One or more fields or parameters have a value that is not accepted.",
    remedy: "Correct what `errors` names: every refused field, what is wrong with it and what to send instead.",
  },
  internal: {
    status: 500,
    title: "Internal error",
    meaning: "The service failed. Nothing of the request was kept.",
    remedy: "Repeat the request; if it fails again, give the operator the `request_id`.",
  },
  unavailable: {
    status: 503,
    title: "Temporarily unavailable",
    meaning:
      "The service cannot answer right now, for example because it is shutting down or its database is busy. Nothing was changed, unless `outcome` is `unknown`.",
    remedy:
      "Repeat the request after as many seconds as `Retry-After` says; where `outcome` is `unknown`, read first whether the change was kept.",
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
