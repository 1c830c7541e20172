import { SitewardError } from "./siteward-error.ts";

/**
 * The call's `signal` was aborted; `cause` is its reason. The service may still have acted on the request. If it was the
 * `waitSignal`, it has not.
 *
 * @example
 * try {
 *   await siteward.websites.get(7, { signal: AbortSignal.timeout(10_000) }); // 10 s for the entire call
 * } catch (error) {
 *   if (!(error instanceof AbortError)) throw error;
 *   console.log(error.cause);
 * }
 */
export class AbortError extends SitewardError {
  static {
    AbortError.prototype.name = "AbortError";
  }

  /** Always `aborted`. */
  declare readonly code: "aborted";

  constructor(reason: unknown) {
    super("aborted", "The call was aborted by its signal.", { cause: reason });
  }
}
