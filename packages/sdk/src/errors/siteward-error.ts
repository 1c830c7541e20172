/** Shared by every copy and version of the package in a program, so that a guard knows errors of another copy. */
const errorBrand: symbol = Symbol.for("@siteward/sdk/error");

/**
 * What every error of the SDK is. `code` is stable and tells the kinds apart; `instanceof` works within one copy of the
 * package, `isSitewardError` and `isApiError` across copies. No error ever holds the API key.
 */
export class SitewardError extends Error {
  static {
    // On the prototype, so that stack traces begin with it and minifying the class's name does not change it.
    SitewardError.prototype.name = "SitewardError";
  }

  /** Stable name of the kind of error. */
  readonly code: string;

  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, errorBrand, { value: true });
  }
}

/** Tells whether an error is one of the SDK's, of this or another copy of the package; its `code` tells which. */
export function isSitewardError(error: unknown): error is SitewardError {
  return typeof error === "object" && error !== null && errorBrand in error;
}
