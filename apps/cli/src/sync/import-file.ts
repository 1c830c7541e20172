import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { Warning } from "../output/notices.ts";
import type { Result } from "./result.ts";

/** The websites of a file, and the results of those that are not valid. */
export interface ImportFile {
  readonly entries: readonly WebsiteEntry[];
  readonly refused: readonly Result[];
  /** What a person should know of how the file was read. */
  readonly warnings: readonly Warning[];
}
