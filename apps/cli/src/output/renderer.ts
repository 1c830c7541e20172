import type { View } from "./view.ts";

/** One output format: records in, text out. Pure, so that every format is tested without a stream. */
export interface Renderer {
  /** Many records; pieces are written as they come, so a format that can stream does. */
  readonly list: (records: AsyncIterable<object>, layout: Layout) => AsyncIterable<string>;
  /** One record. */
  readonly one: (record: object, layout: Layout) => string;
}

/** What to show of a record and in how much room. */
export interface Layout {
  readonly view: View;
  /** The fields asked for, as names of the view; undefined means all that the format shows by itself. */
  readonly fields: readonly string[] | undefined;
  /** Columns of the terminal; undefined means there is none to fit. */
  readonly widthColumns: number | undefined;
  readonly color: boolean;
}
