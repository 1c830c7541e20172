import type { ApiError, ErrorCode } from "../errors/api-error.ts";

type Failure = Partial<Pick<ApiError, "status" | "problem" | "attempts"> & { code: string; requestSent: boolean }>;

/** Returns the error as one of the SDK. Known by its fields, so that this entry contains no class of the main one. */
export function toFailure(error: unknown): Readonly<Failure> {
  return error instanceof Error ? (error as Failure) : {};
}

/** Whether the service has answered with this error. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  const failure = toFailure(error);
  return failure.status !== undefined && failure.code === code;
}

/** Whether a signal has ended a call. */
export function isAborted(error: unknown): boolean {
  return toFailure(error).code === "aborted";
}

/** Whether the service may have acted on a call that failed with this error. */
export function mayHaveActed(error: unknown): boolean {
  const { status, code = "", requestSent = true, problem, attempts = 1 } = toFailure(error);
  if (status === undefined) return ["connection_failed", "timeout"].includes(code) && requestSent;
  // If an earlier attempt may have acted, the SDK says so instead of these.
  if (status === 429 || code === "unavailable") return problem?.outcome !== undefined;
  // A success that nobody could read, or an answer to the second attempt.
  return status === 408 || status >= 500 || status < 300 || attempts > 1;
}

/**
 * Says whom the error of a change concerns. A website's own does not fit the rules, or the website as it is. Everyone's
 * is met by every change. So is what is not known, such as a page of a proxy.
 */
export function whoseFault(error: unknown): "website" | "everyone" {
  const { status, code = "" } = toFailure(error);
  return status !== undefined && Object.hasOwn(websitesOwn, code) ? "website" : "everyone";
}

/** The codes of everyone's errors. One of the contract that is neither here nor below does not compile. */
type Everyones =
  | "unauthenticated"
  | "insufficient_scope"
  // A website that exists could still be updated. But most runs create.
  | "website_limit_reached"
  | "method_not_allowed"
  // The SDK has waited for the earlier attempt. The service is too slow for the others too.
  | "idempotency_in_progress"
  | "unsupported_media_type"
  | "cursor_expired"
  // The SDK has waited: the service asks for more than a minute, or has refused 100 times.
  | "rate_limited"
  | "change_limit_reached"
  | "internal"
  | "unavailable";

const websitesOwn: Readonly<Record<Exclude<ErrorCode, Everyones>, true>> = {
  malformed_request: true,
  not_found: true,
  domain_taken: true,
  precondition_failed: true,
  body_too_large: true,
  validation_failed: true,
  idempotency_key_reused: true,
};
