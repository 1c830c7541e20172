import { ApiError, type ApiErrorCode } from "./api-error.ts";
import { isSitewardError } from "./siteward-error.ts";

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
