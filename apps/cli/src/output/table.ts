import { styleText } from "node:util";
import { domainText } from "./domain-text.ts";
import { fieldValue } from "./fields.ts";
import { safeText } from "./safe-text.ts";
import { type Column, cellText, type Layout, type Renderer } from "./view.ts";
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
    const { view, fields, widthColumns = Number.POSITIVE_INFINITY } = layout;
    const listed = Object.keys(view).filter((field) => view[field]?.inList);
    const columns = chosenColumns(fields ?? listed, layout);
    const mayDrop = fields === undefined && widthColumns >= minTableColumns;
    const titles = columns.map(([, { title }]) => title);
    const widths = titles.map(textWidth);
    const rows: Cells[] = [];
    // Each record as it arrives: once all of them are read, also at Ctrl-C, little is left to do.
    for await (const record of records) {
      const cells = columns.slice(0, widths.length).map((column) => tableCell(record, column, layout));
      for (const [index, cell] of cells.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
      while (mayDrop && widths.length > keptColumns && totalOf(widths) > widthColumns) widths.pop();
      rows.push(cells);
    }
    const isTable = mayDrop || totalOf(widths) <= widthColumns;
    yield* isTable ? tableLines(titles, rows, { ...layout, widths }) : cards(titles, rows, layout);
  },
  one: (record, layout) => {
    const columns = chosenColumns(layout.fields ?? Object.keys(layout.view), layout);
    const titles = columns.map(([, { title }]) => title);
    const texts = columns.map((column) => bothForms(record, column, layout));
    return cardText(titles, texts, layout);
  },
};

/** The texts of a row, of which a table shows the first if the others are left out. */
type Cells = readonly string[];

function totalOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width + gap.length, -gap.length);
}

/** Formats the rows as lines. The last column is cut if the others leave it too little room. */
function* tableLines(titles: Cells, rows: readonly Cells[], layout: Layout & { readonly widths: readonly number[] }) {
  if (rows.length === 0) return;
  const { widthColumns = Number.POSITIVE_INFINITY } = layout;
  const others = layout.widths.slice(0, -1);
  const room = Math.max(1, widthColumns - totalOf(others) - gap.length);
  const widths = [...others, Math.min(layout.widths.at(-1) ?? 0, room)];
  const lineOf = (cells: Cells): string =>
    `${widths
      .map((width, index) => fitText(cells[index] ?? "", width))
      .join(gap)
      .trimEnd()}`;
  yield `${bold(lineOf(titles), layout)}\n`;
  for (const cells of rows) yield `${lineOf(cells)}\n`;
}

function* cards(titles: Cells, rows: readonly Cells[], layout: Layout): Generator<string> {
  for (const [index, cells] of rows.entries()) yield (index === 0 ? "" : "\n") + cardText(titles, cells, layout);
}

/** Formats a record with one line per field. The terminal wraps a text that is wider. */
function cardText(titles: Cells, texts: Cells, layout: Layout): string {
  const width = Math.max(0, ...titles.map(textWidth));
  return titles.map((title, index) => `${bold(fitText(title, width) + gap, layout)}${texts[index]}\n`).join("");
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
