import { pickFields } from "./fields.ts";
import { jsonText } from "./json.ts";
import type { Renderer } from "./renderer.ts";

/** One record per line, printed as it arrives. */
export const ndjson: Renderer = {
  async *list(records, { fields }) {
    for await (const record of records) yield `${jsonText(pickFields(record, fields))}\n`;
  },
  one: (record, { fields }) => `${jsonText(pickFields(record, fields))}\n`,
};
