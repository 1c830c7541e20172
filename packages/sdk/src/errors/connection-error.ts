import { SitewardError } from "./siteward-error.ts";

/**
 * The service could not be reached, or the connection broke before the response was complete.
 *
 * @example
 * try {
 *   await siteward.websites.delete(7);
 * } catch (error) {
 *   if (!(error instanceof ConnectionError)) throw error;
 *   console.log(error.requestSent ? "It may be deleted." : "Nothing was deleted.");
 * }
 */
export class ConnectionError extends SitewardError {
  static {
    ConnectionError.prototype.name = "ConnectionError";
  }

  /** Always `connection_failed`. */
  declare readonly code: "connection_failed";

  /**
   * False if the last attempt never connected, so the service did nothing. True if the service may have acted on it.
   */
  readonly requestSent: boolean;

  constructor(message: string, requestSent: boolean, options?: { readonly cause?: unknown }) {
    super("connection_failed", message, options);
    this.requestSent = requestSent;
  }
}
