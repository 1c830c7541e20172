import { pickFields } from "./fields.ts";
import type { Renderer } from "./view.ts";

/** A list is one array, printed as its records arrive. */
export const json: Renderer = {
  async *list(records, { fields }) {
    let start = "[\n";
    for await (const record of records) {
      yield start + jsonText(pickFields(record, fields), 2).replace(/^/gm, "  ");
      start = ",\n";
    }
    yield start === "[\n" ? "[]\n" : "\n]\n";
  },
  one: (record, { fields }) => `${jsonText(pickFields(record, fields), 2)}\n`,
};

/** One record per line, printed as it arrives. */
export const ndjson: Renderer = {
  async *list(records, { fields }) {
    for await (const record of records) yield `${jsonText(pickFields(record, fields))}\n`;
  },
};

/** Formats JSON and escapes control characters that some terminals obey (DEL and C1). */
export function jsonText(value: unknown, indentSpaces?: number): string {
  return JSON.stringify(value, undefined, indentSpaces).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
