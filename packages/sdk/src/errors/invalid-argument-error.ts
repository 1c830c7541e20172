import { SitewardError } from "./siteward-error.ts";

/**
 * An option or argument is not valid. The message names it and says what to pass. Nothing was changed.
 *
 * @example
 * try {
 *   toCanonicalDomain("https://example.com/");
 * } catch (error) {
 *   if (!(error instanceof InvalidArgumentError)) throw error;
 *   console.log(error.message);
 * }
 */
export class InvalidArgumentError extends SitewardError {
  static {
    InvalidArgumentError.prototype.name = "InvalidArgumentError";
  }

  /** Always `invalid_argument`. */
  declare readonly code: "invalid_argument";

  constructor(message: string) {
    super("invalid_argument", message);
  }
}
