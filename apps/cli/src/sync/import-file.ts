import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { Result } from "./result.ts";

/** The websites of a file, and the results of those that are not valid. */
export interface ImportFile {
  readonly entries: readonly WebsiteEntry[];
  readonly refused: readonly Result[];
  /** What a person should know of how the file was read. A warning can have several lines. */
  readonly warnings: readonly string[];
}
