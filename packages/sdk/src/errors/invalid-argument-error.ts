import { SitewardError } from "./siteward-error.ts";

/** An option or argument is not valid. No request was sent. */
export class InvalidArgumentError extends SitewardError {
  static {
    InvalidArgumentError.prototype.name = "InvalidArgumentError";
  }

  declare readonly code: "invalid_argument";

  constructor(message: string) {
    super("invalid_argument", message);
  }
}
