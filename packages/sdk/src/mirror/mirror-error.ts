import { SitewardError } from "../errors/siteward-error.ts";

/** What a mirror reports of its file: it is not used, so all websites are read, or it cannot be written. */
export type MirrorErrorCode = "file_not_used" | "file_not_written";

/**
 * The file of a mirror is not used or cannot be written. The message says why. A file that is not used is replaced at
 * the next write, unless it is a folder, a device, a pipe or a socket.
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
}
