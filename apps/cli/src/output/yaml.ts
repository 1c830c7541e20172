import { stringify } from "yaml";
import { collect } from "./collect.ts";
import { pickFields } from "./fields.ts";
import type { Renderer } from "./renderer.ts";

/** Many records are one sequence. */
export const yaml: Renderer = {
  async *list(records, { fields }) {
    const all = await collect(records);
    yield yamlText(all.map((record) => pickFields(record, fields)));
  },
  one: (record, { fields }) => yamlText(pickFields(record, fields)),
};

function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
