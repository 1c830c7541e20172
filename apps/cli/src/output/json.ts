import { pickFields } from "./fields.ts";
import type { Renderer } from "./renderer.ts";

/** A list is one array, printed at once: a part of an array is not valid JSON. */
export const json: Renderer = {
  async *list(records, { fields }) {
    const all = await Array.fromAsync(records, (record) => pickFields(record, fields));
    yield `${jsonText(all, 2)}\n`;
  },
  one: (record, { fields }) => `${jsonText(pickFields(record, fields), 2)}\n`,
};

/** Formats JSON and escapes the control characters that JSON allows and some terminals obey (DEL and C1). */
export function jsonText(value: unknown, indentSpaces?: number): string {
  return JSON.stringify(value, undefined, indentSpaces).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
