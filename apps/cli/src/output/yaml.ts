import { Document, visit } from "yaml";
import { pickFields } from "./fields.ts";
import type { Renderer } from "./renderer.ts";

/** Many records are one sequence. */
export const yaml: Renderer = {
  async *list(records, { fields }) {
    yield yamlText(await Array.fromAsync(records, (record) => pickFields(record, fields)));
  },
  one: (record, { fields }) => yamlText(pickFields(record, fields)),
};

/** DEL and C1, which YAML does not allow unescaped, some terminals obey, and the library lets through. */
const unescaped = /[\u007f-\u009f]/g;

function yamlText(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Scalar(_key, scalar) {
      // Only between double quotes can a character be escaped.
      if (typeof scalar.value === "string" && scalar.value.search(unescaped) !== -1) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document
    .toString({ lineWidth: 0 })
    .replace(unescaped, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
}
