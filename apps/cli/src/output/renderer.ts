import type { Layout } from "./view.ts";

/** One output format: records in, text out. Pure, so that every format is tested without a stream. */
export interface Renderer {
  /** Many records; pieces are written as they come, so a format that can stream does. */
  readonly list: (records: AsyncIterable<object>, layout: Layout) => AsyncIterable<string>;
  /** One record. */
  readonly one: (record: object, layout: Layout) => string;
}
