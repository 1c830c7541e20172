/** Shared by every copy and version of the package in a program, so that a guard knows errors of another copy. */
export const errorBrand: symbol = Symbol.for("@siteward/sdk/error");

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

/** An option or argument that cannot be sent. Nothing was sent. */
export class InvalidArgumentError extends SitewardError {
  static {
    InvalidArgumentError.prototype.name = "InvalidArgumentError";
  }

  declare readonly code: "invalid_argument";

  constructor(message: string) {
    super("invalid_argument", message);
  }
}

/** The service could not be reached, or the connection broke before its answer was complete. */
export class ConnectionError extends SitewardError {
  static {
    ConnectionError.prototype.name = "ConnectionError";
  }

  declare readonly code: "connection_failed";

  /** False where the last attempt made no connection, so that it certainly did nothing. True where it may have acted. */
  readonly requestSent: boolean;

  constructor(message: string, requestSent: boolean, options?: { readonly cause?: unknown }) {
    super("connection_failed", message, options);
    this.requestSent = requestSent;
  }
}

/** An attempt took longer than `timeoutMs`. The service may have acted all the same. */
export class TimeoutError extends SitewardError {
  static {
    TimeoutError.prototype.name = "TimeoutError";
  }

  declare readonly code: "timeout";

  /** The time that the attempt was allowed, in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number) {
    super("timeout", message);
    this.timeoutMs = timeoutMs;
  }
}

/** The call's `signal` fired; `cause` is the signal's reason. The service may have acted all the same. */
export class AbortError extends SitewardError {
  static {
    AbortError.prototype.name = "AbortError";
  }

  declare readonly code: "aborted";

  constructor(reason: unknown) {
    super("aborted", "The call was aborted by its signal", { cause: reason });
  }
}
