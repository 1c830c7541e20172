import { ApiError, type ApiErrorCode } from "./api-error.ts";
import { isSitewardError } from "./siteward-error.ts";

/**
 * Checks whether an error is an `ApiError` and, if you pass a `code`, whether it has that code. Unlike `instanceof`,
 * this also recognizes errors of other copies and versions of the package.
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
