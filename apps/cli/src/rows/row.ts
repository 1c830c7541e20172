import type { Place } from "../entries/website-entry.ts";

/** The fields of one website in a file, not yet checked. */
export interface Row {
  readonly place: Place;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Something in a file that is not a website, and why. */
export interface UnreadableRow {
  readonly place: Place;
  /** What is wrong, without a period at the end. */
  readonly problem: string;
}

/** Takes what a file contains, in its order. A reader keeps no row, so that a file takes no more memory than its websites. */
export type AcceptRow = (row: Row | UnreadableRow) => void;
