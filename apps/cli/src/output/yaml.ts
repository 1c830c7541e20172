import { Document, isScalar, visit } from "yaml";
import { pickFields } from "./fields.ts";
import type { Renderer } from "./renderer.ts";

/** A list is one sequence. */
export const yaml: Renderer = {
  async *list(records, { fields }) {
    yield yamlText(await Array.fromAsync(records, (record) => pickFields(record, fields)));
  },
  one: (record, { fields }) => yamlText(pickFields(record, fields)),
};

/** DEL and C1. YAML requires them to be escaped and some terminals obey them, but the library does not escape them. */
const unescaped = /[\u007f-\u009f]/g;

/** A comment at the end of the line of a scalar. */
export interface YamlComment {
  /** The keys and indexes that lead to the scalar. */
  readonly path: readonly (string | number)[];
  /** One line without control characters. */
  readonly text: string;
}

/** Formats YAML without aliases: objects that share an array get a copy each. */
export function yamlText(value: unknown, comments: readonly YamlComment[] = []): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  for (const { path, text } of comments) {
    const node = document.getIn(path, true);
    if (isScalar(node)) node.comment = ` ${text}`;
  }
  visit(document, {
    Scalar(_key, scalar) {
      // Only a double-quoted string can contain escapes.
      if (typeof scalar.value === "string" && scalar.value.search(unescaped) !== -1) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document
    .toString({ lineWidth: 0 })
    .replace(unescaped, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
}
