/** The same in every copy and version of the package, so that `isSitewardError` recognizes errors of another copy. */
const errorBrand: symbol = Symbol.for("@siteward/sdk/error");

/**
 * The base class of every error that the SDK throws. Its `code` is stable and identifies the kind of error.
 * `instanceof` works within one copy of the package; `isSitewardError` and `isApiError` also work across copies. No
 * error contains the API key.
 *
 * @example
 * try {
 *   await siteward.websites.get(7);
 * } catch (error) {
 *   if (!isSitewardError(error)) throw error;
 *   console.log(error.code, error.method, error.path, error.attempts, error.elapsedMs);
 * }
 */
export class SitewardError extends Error {
  static {
    // Set on the prototype, so that stack traces begin with it and minifying the class name does not change it.
    SitewardError.prototype.name = "SitewardError";
  }

  /** Stable identifier of the kind of error, such as `timeout`. */
  readonly code: string;
  /** The HTTP method of the call that failed. Undefined if no call was made, because an argument is not valid. */
  declare readonly method?: string;
  /** The path of the call, such as `/api/v1/websites/7`, without the path of `baseUrl` and without the query. */
  declare readonly path?: string;
  /** How many attempts the call made. 0 if its signal was aborted before the first. */
  declare readonly attempts?: number;
  /** How long the entire call took, with all attempts and the waits between them, in milliseconds. */
  declare readonly elapsedMs?: number;

  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, errorBrand, { value: true });
  }
}

/**
 * Checks whether an error comes from the SDK, in this or another copy of the package. Its `code` tells which it is.
 *
 * @example
 * if (isSitewardError(error) && error.code === "timeout") console.log("Try again later.");
 */
export function isSitewardError(error: unknown): error is SitewardError {
  return typeof error === "object" && error !== null && errorBrand in error;
}
