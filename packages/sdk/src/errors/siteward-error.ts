/** The same in every copy and version of the package, so that `isSitewardError` recognizes errors of another copy. */
const errorBrand: symbol = Symbol.for("@siteward/sdk/error");

/**
 * The base class of every error that the SDK throws. Its `code` is stable and identifies the kind of error.
 * `instanceof` works within one copy of the package; `isSitewardError` and `isApiError` also work across copies. No
 * error contains the API key.
 */
export class SitewardError extends Error {
  static {
    // Set on the prototype, so that stack traces begin with it and minifying the class name does not change it.
    SitewardError.prototype.name = "SitewardError";
  }

  /** Stable identifier of the kind of error, such as `timeout`. */
  readonly code: string;

  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, errorBrand, { value: true });
  }
}

/** Checks whether an error comes from the SDK, in this or another copy of the package. Its `code` tells which it is. */
export function isSitewardError(error: unknown): error is SitewardError {
  return typeof error === "object" && error !== null && errorBrand in error;
}
