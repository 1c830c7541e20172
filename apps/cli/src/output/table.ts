import { styleText } from "node:util";
import { domainText } from "./domain-text.ts";
import { fieldValue } from "./fields.ts";
import type { Layout, Renderer } from "./renderer.ts";
import { safeText } from "./safe-text.ts";
import { fitsInFull, gapColumns, layoutTable, type PlacedColumn, type TableColumn } from "./table-layout.ts";
import { padText, textWidth, truncateText, wrapText } from "./text-width.ts";
import { type Column, cellText } from "./view.ts";

/** On a narrower terminal, each record of a list has its own lines, unless the table fits in full. */
const minTableColumns = 50;

/** A table for people, at most as wide as the terminal, without characters that the terminal would obey. */
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
  const columns = shown.map((column) => tableColumn(records, column, layout));
  const isWide = widthColumns >= minTableColumns || fitsInFull(columns, widthColumns);
  const placed = isWide ? layoutTable(columns, { widthColumns, mayDrop: fields === undefined }) : undefined;
  if (placed === undefined) return records.map((record) => recordText(record, shown, layout)).join("\n");
  const [head = "", ...body] = [...(placed[0]?.texts.keys() ?? [])].map((row) => lineOf(placed, row));
  return `${[bold(head, layout), ...body].join("\n")}\n`;
}

function tableColumn(records: readonly object[], named: NamedColumn, layout: Layout): TableColumn {
  const [, { title, kind, worth = 0 }] = named;
  const cells = records.map((record) => tableCell(record, named, layout));
  return {
    worth,
    texts: [title, ...cells],
    shortTexts: kind === "time" ? [`${title} (UTC)`, ...cells.map(toMinute)] : undefined,
  };
}

/** Shortens a time as the service sends it, in UTC. Anything else, such as "never", stays as it is. */
function toMinute(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/, "$1 $2");
}

function lineOf(columns: readonly PlacedColumn[], row: number): string {
  return columns
    .map(({ texts, widthColumns }) => padText(truncateText(texts[row] ?? "", widthColumns), widthColumns))
    .join(" ".repeat(gapColumns))
    .trimEnd();
}

/** A value gets lines of its own below its title if the room next to the title is narrower. */
const minValueColumns = 16;

/** Formats a record with one line per field, and more if the terminal is too narrow for a value. */
function recordText(record: object, columns: readonly NamedColumn[], layout: Layout): string {
  const { widthColumns = Number.POSITIVE_INFINITY } = layout;
  const titleColumns = Math.max(0, ...columns.map(([, { title }]) => textWidth(title)));
  const indentColumns = titleColumns + gapColumns;
  const isBelow = widthColumns - indentColumns < minValueColumns;
  const lines = columns.flatMap((column) => {
    const [, { title }] = column;
    const text = bothForms(record, column, layout);
    if (isBelow) {
      return [...wrapText(title, widthColumns).map((line) => bold(line, layout)), ...wrapText(text, widthColumns)];
    }
    const [first = "", ...others] = wrapText(text, widthColumns - indentColumns);
    const head = `${bold(padText(title, indentColumns), layout)}${first}`;
    return [head, ...others.map((line) => `${" ".repeat(indentColumns)}${line}`)];
  });
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
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
