import { SitewardError } from "./siteward-error.ts";

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
