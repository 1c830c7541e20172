import { SitewardError } from "../errors/siteward-error.ts";

/** What a mirror reports besides the errors of requests. */
export type MirrorErrorCode =
  | "changes_not_supported"
  | "file_broken"
  | "file_foreign"
  | "file_newer"
  | "file_not_read"
  | "file_not_written";

/**
 * A mirror met something that no request failed with: an answer without what a mirror needs, or a problem with its file. A file
 * that is not used is replaced at the next write. `cause` is the error of the system, if there is one.
 *
 * @example
 * await mirrorWebsites(siteward, {
 *   file: "websites.mirror",
 *   onError: (error) => {
 *     if (error instanceof MirrorError && error.code === "file_not_written") console.error("The disk may be full.");
 *   },
 * });
 */
export class MirrorError extends SitewardError {
  static {
    MirrorError.prototype.name = "MirrorError";
  }

  /** Which problem it is. */
  declare readonly code: MirrorErrorCode;

  constructor(code: MirrorErrorCode, message: string, cause?: unknown) {
    super(code, message, cause === undefined ? undefined : { cause });
  }
}
