import type { View } from "./view.ts";

/** One output format: turns records into text. Pure, so that every format is tested without a stream. */
export interface Renderer {
  /** Formats a list. Each piece is printed as it arrives, so that a format can stream. */
  readonly list: (records: AsyncIterable<object>, layout: Layout) => AsyncIterable<string>;
  /** Formats one record. */
  readonly one: (record: object, layout: Layout) => string;
}

/** Which fields to show, and in how much space. */
export interface Layout {
  readonly view: View;
  /** The requested fields, by their names in the view; undefined means the default of the format. */
  readonly fields: readonly string[] | undefined;
  /** Columns of the terminal; undefined if the output is not a terminal. */
  readonly widthColumns: number | undefined;
  readonly color: boolean;
  /** Whether domains are shown in ASCII. */
  readonly ascii: boolean;
}
