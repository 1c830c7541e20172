import { SitewardError } from "./siteward-error.ts";

/** The call's `signal` was aborted; `cause` is its reason. The service may still have acted on the request. */
export class AbortError extends SitewardError {
  static {
    AbortError.prototype.name = "AbortError";
  }

  declare readonly code: "aborted";

  constructor(reason: unknown) {
    super("aborted", "The call was aborted by its signal.", { cause: reason });
  }
}
