import { SitewardError } from "./siteward-error.ts";

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
