import { domainText } from "./domain-text.ts";
import { fieldValue } from "./fields.ts";
import type { Layout } from "./renderer.ts";
import { safeText } from "./safe-text.ts";
import { type Column, cellText } from "./view.ts";

/** A field that is shown, and how. */
export type NamedColumn = readonly [field: string, column: Column];

/** Returns the text of a field for people, on one line. An empty field is a dash. */
export function tableCell(record: object, [field, column]: NamedColumn, { ascii }: Pick<Layout, "ascii">): string {
  const value = fieldValue(record, field);
  const text = column.show === undefined || value === undefined ? cellText(value) : column.show(value);
  const shown = column.kind === "domain" && !ascii ? domainText(text) : safeText(text);
  return shown === "" ? "-" : shown;
}

/** Returns the columns of fields that were requested by name. */
export function chosenColumns(fields: readonly string[], { view }: Layout): readonly NamedColumn[] {
  return fields.map((field) => [field, view[field] ?? { title: field, inList: true }]);
}
