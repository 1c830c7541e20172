import { styleText } from "node:util";
import { domainText } from "./domain-text.ts";
import { fieldValue } from "./fields.ts";
import type { Layout, Renderer } from "./renderer.ts";
import { safeText } from "./safe-text.ts";
import { type Column, cellText } from "./view.ts";
import { fitText, textWidth } from "./width.ts";

/** On a narrower terminal, no column is left out. */
const minTableColumns = 50;
const gap = "  ";

/** These always stay, such as the ID and the domain of a website. The second is cut if it is too wide. */
const keptColumns = 2;

/**
 * A table for people, without characters that the terminal would obey. If it is too wide, its columns are left out from the right.
 * On a narrow terminal, and if columns were requested, each record has lines of its own instead.
 */
export const table: Renderer = {
  async *list(records, layout) {
    const all = await Array.fromAsync(records);
    if (all.length > 0) yield listText(all, layout);
  },
  one: (record, layout) => recordText(record, chosenColumns(layout.fields ?? Object.keys(layout.view), layout), layout),
};

function listText(records: readonly object[], layout: Layout): string {
  const { view, fields, widthColumns = Number.POSITIVE_INFINITY } = layout;
  const shown =
    fields === undefined ? Object.entries(view).filter(([, { inList }]) => inList) : chosenColumns(fields, layout);
  const columns = shown.map((column) => measure(records, column, layout));
  const mayDrop = fields === undefined && widthColumns >= minTableColumns;
  const isTable = mayDrop || totalWidth(columns) <= widthColumns;
  if (!isTable) return records.map((record) => recordText(record, shown, layout)).join("\n");
  while (columns.length > keptColumns && totalWidth(columns) > widthColumns) columns.pop();
  const last = columns.at(-1);
  if (last !== undefined) last.width = Math.max(1, last.width - Math.max(0, totalWidth(columns) - widthColumns));
  const lines = Array.from({ length: records.length + 1 }, (_, row) => lineOf(columns, row));
  const [head = "", ...body] = lines;
  return `${[bold(head, layout), ...body].join("\n")}\n`;
}

/** A column of a table: its texts, the title first, and the room for each. */
interface MeasuredColumn {
  readonly texts: readonly string[];
  width: number;
}

function measure(records: readonly object[], column: NamedColumn, layout: Layout): MeasuredColumn {
  const texts = [column[1].title, ...records.map((record) => tableCell(record, column, layout))];
  return { texts, width: texts.reduce((most, text) => Math.max(most, textWidth(text)), 0) };
}

function totalWidth(columns: readonly MeasuredColumn[]): number {
  return columns.reduce((total, { width }) => total + width + gap.length, -gap.length);
}

function lineOf(columns: readonly MeasuredColumn[], row: number): string {
  const cells = columns.map(({ texts, width }) => fitText(texts[row] ?? "", width));
  return cells.join(gap).trimEnd();
}

/** Formats a record with one line per field. The terminal wraps a value that is wider. */
function recordText(record: object, columns: readonly NamedColumn[], layout: Layout): string {
  const titleWidth = Math.max(0, ...columns.map(([, { title }]) => textWidth(title)));
  const lines = columns.map((column) => {
    const title = bold(fitText(column[1].title, titleWidth) + gap, layout);
    return `${title}${bothForms(record, column, layout)}\n`;
  });
  return lines.join("");
}

/** Makes a title bold if the layout has color. */
function bold(text: string, { color }: Layout): string {
  return color ? styleText("bold", text, { validateStream: false }) : text;
}

/** Returns the text of a field. A domain in Unicode is followed by its ASCII form, by which programs know it. */
function bothForms(record: object, column: NamedColumn, layout: Layout): string {
  const text = tableCell(record, column, layout);
  const ascii = tableCell(record, column, { ascii: true });
  return text === ascii || layout.ascii ? text : `${text} (${ascii})`;
}

/** A field that is shown, and how. */
type NamedColumn = readonly [field: string, column: Column];

/** Returns the text of a field for people, on one line. An empty field is a dash. */
function tableCell(record: object, [field, column]: NamedColumn, { ascii }: Pick<Layout, "ascii">): string {
  const value = fieldValue(record, field);
  const text = column.show === undefined || value === undefined ? cellText(value) : column.show(value);
  const shown = column.kind === "domain" && !ascii ? domainText(text) : safeText(text);
  return shown === "" ? "-" : shown;
}

/** Returns the columns of fields that were requested by name. */
function chosenColumns(fields: readonly string[], { view }: Layout): readonly NamedColumn[] {
  return fields.map((field) => [field, view[field] ?? { title: field, inList: true }]);
}
