import { styleText } from "node:util";
import { safeText } from "@siteward/start/safe-text";
import { domainText } from "./domain-text.ts";
import { fieldValue } from "./fields.ts";
import { type Column, cellText, type Layout, type Renderer } from "./view.ts";
import { fitText, textWidth } from "./width.ts";

/** On a narrower terminal, no column is left out. */
const minTableColumns = 50;
const gap = "  ";

/** These always stay, such as the ID and the domain of a website. The second is cut if it is too wide. */
const keptColumns = 2;

/**
 * A table for people, without characters that the terminal would obey. If it is too wide, its columns are left out from
 * the right. On a narrow terminal, and if columns were requested, each record has lines of its own instead.
 */
export const table: Renderer = {
  async *list(records, layout) {
    const { view, fields, widthColumns = Number.POSITIVE_INFINITY } = layout;
    const listed = Object.keys(view).filter((field) => view[field]?.inList);
    const columns = chosenColumns(fields ?? listed, layout);
    const mayDrop = fields === undefined && widthColumns >= minTableColumns;
    const widths = columns.map(([, { title }]) => textWidth(title));
    const rows: Row[] = [];
    // Each record as it arrives: once all of them are read, also at Ctrl-C, little is left to do.
    for await (const record of records) {
      const cells = columns.slice(0, widths.length).map((column) => tableCell(record, column, layout));
      for (const [index, cell] of cells.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
      while (mayDrop && widths.length > keptColumns && totalOf(widths) > widthColumns) widths.pop();
      rows.push({ record, cells });
    }
    const isTable = mayDrop || totalOf(widths) <= widthColumns;
    yield* isTable ? tableLines(rows, columns, { ...layout, widths }) : cards(rows, columns, layout);
  },
  one: (record, layout) => {
    const columns = chosenColumns(layout.fields ?? Object.keys(layout.view), layout);
    return cardText({ record, cells: columns.map((column) => tableCell(record, column, layout)) }, columns, layout);
  },
};

/** A record, and its texts in the columns of a table. */
interface Row {
  readonly record: object;
  readonly cells: readonly string[];
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width + gap.length, -gap.length);
}

/** Formats the rows as lines. The last column is cut if the others leave it too little room. */
function* tableLines(
  rows: readonly Row[],
  columns: readonly NamedColumn[],
  layout: Layout & { readonly widths: readonly number[] },
): Generator<string> {
  if (rows.length === 0) return;
  const { widthColumns = Number.POSITIVE_INFINITY } = layout;
  const others = layout.widths.slice(0, -1);
  const room = Math.max(1, widthColumns - totalOf(others) - gap.length);
  const widths = [...others, Math.min(layout.widths.at(-1) ?? 0, room)];
  const lineOf = (cells: readonly string[]): string =>
    widths
      .map((width, index) => fitText(cells[index] ?? "", width))
      .join(gap)
      .trimEnd();
  yield `${bold(lineOf(columns.map(([, { title }]) => title)), layout)}\n`;
  for (const { cells } of rows) yield `${lineOf(cells)}\n`;
}

function* cards(rows: readonly Row[], columns: readonly NamedColumn[], layout: Layout): Generator<string> {
  for (const [index, row] of rows.entries()) yield (index === 0 ? "" : "\n") + cardText(row, columns, layout);
}

/**
 * Formats a record with one line per field. The terminal wraps a text that is wider. A domain in Unicode is followed by
 * its ASCII form, by which programs know it.
 */
function cardText({ record, cells }: Row, columns: readonly NamedColumn[], layout: Layout): string {
  const width = Math.max(0, ...columns.map(([, { title }]) => textWidth(title)));
  const lines = columns.map((column, index) => {
    const [, { title, kind }] = column;
    const text = cells[index] ?? "";
    const ascii = kind === "domain" && !layout.ascii ? tableCell(record, column, { ascii: true }) : text;
    return `${bold(fitText(title, width) + gap, layout)}${text === ascii ? text : `${text} (${ascii})`}\n`;
  });
  return lines.join("");
}

/** Makes a title bold if the layout has color. */
function bold(text: string, { color }: Layout): string {
  return color ? styleText("bold", text, { validateStream: false }) : text;
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
