import { styleText } from "node:util";
import type { Layout } from "./renderer.ts";
import { type NamedColumn, tableCell } from "./table-cell.ts";
import { gapColumns } from "./table-layout.ts";
import { padText, textWidth, wrapText } from "./text-width.ts";

/** A value gets lines of its own below its title if the room next to the title is narrower. */
const minValueColumns = 16;

/** Formats a record with one line per field, and more if the terminal is too narrow for a value. */
export function recordText(record: object, columns: readonly NamedColumn[], layout: Layout): string {
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
export function bold(text: string, { color }: Layout): string {
  return color ? styleText("bold", text, { validateStream: false }) : text;
}

/** Returns the text of a field. A domain in Unicode is followed by its ASCII form, by which programs know it. */
function bothForms(record: object, column: NamedColumn, layout: Layout): string {
  const text = tableCell(record, column, layout);
  const ascii = tableCell(record, column, { ascii: true });
  return text === ascii || layout.ascii ? text : `${text} (${ascii})`;
}
