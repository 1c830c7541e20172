import { dump } from "js-yaml";
import { pickFields } from "./fields.ts";
import type { Renderer } from "./view.ts";

/** A list is one sequence. */
export const yaml: Renderer = {
  async *list(records, { fields }) {
    yield yamlText(await Array.fromAsync(records, (record) => pickFields(record, fields)));
  },
  one: (record, { fields }) => yamlText(pickFields(record, fields)),
};

/** Formats YAML without aliases: objects that share an array get a copy each. */
export function yamlText(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: -1, quoteStyle: "double" });
}
