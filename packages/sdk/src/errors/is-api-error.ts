import { ApiError, type ApiErrorCode } from "./api-error.ts";
import { errorBrand, type SitewardError } from "./siteward-error.ts";

/**
 * Tells whether the service answered with an error, and where `code` is given whether it is that one. It knows errors
 * of other copies and versions of the package too, which `instanceof` does not.
 *
 * @example
 * if (isApiError(error, "not_found")) return undefined;
 */
export function isApiError<Code extends ApiErrorCode = ApiErrorCode>(
  error: unknown,
  code?: Code,
): error is ApiError & { readonly code: Code } {
  if (!isSitewardError(error) || error.name !== ApiError.prototype.name) return false;
  return code === undefined || error.code === code;
}

/** Tells whether an error is one of the SDK's, of this or another copy of the package; its `code` tells which. */
export function isSitewardError(error: unknown): error is SitewardError {
  return typeof error === "object" && error !== null && errorBrand in error;
}
