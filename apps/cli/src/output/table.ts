import { styleText } from "node:util";
import { fieldValue } from "./fields.ts";
import { fitWidths } from "./fit-widths.ts";
import type { Layout, Renderer } from "./renderer.ts";
import { safeText } from "./safe-text.ts";
import { textWidth, truncateText } from "./text-width.ts";
import { type Column, cellText } from "./view.ts";

const gap = "  ";

/** A table for people, at most as wide as the terminal, without characters that the terminal would obey. */
export const table: Renderer = {
  async *list(records, layout) {
    const all = await Array.fromAsync(records);
    if (all.length > 0) yield listText(all, layout);
  },
  one: (record, layout) => recordText(record, layout),
};

function listText(records: readonly object[], layout: Layout): string {
  const { view, fields } = layout;
  const columns = Object.entries(view).filter(([, column]) => column.inList);
  const shown = fields === undefined ? columns : chosenColumns(fields, layout);
  const titles = shown.map(([, column]) => column.title);
  const rows = records.map((record) => shown.map(([field, column]) => cell(record, field, column)));
  const widths = fitWidths([titles, ...rows], roomFor(titles.length, layout));
  const [head = "", ...body] = [titles, ...rows].map((row) => line(row, widths));
  return `${[paint(head, layout), ...body].join("\n")}\n`;
}

function recordText(record: object, layout: Layout): string {
  const shown = chosenColumns(layout.fields ?? Object.keys(layout.view), layout);
  const rows = shown.map(([field, column]) => [column.title, cell(record, field, column)] as const);
  const titleWidth = Math.max(0, ...rows.map(([title]) => textWidth(title)));
  const lines = rows.map(([title, text]) => `${paint(pad(title, titleWidth), layout)}${gap}${text}`.trimEnd());
  return `${lines.join("\n")}\n`;
}

function chosenColumns(fields: readonly string[], { view }: Layout): readonly (readonly [string, Column])[] {
  return fields.map((field) => [field, view[field] ?? { title: field, inList: true }]);
}

function cell(record: object, field: string, column: Column): string {
  const value = fieldValue(record, field);
  const text = safeText(column.show === undefined || value === undefined ? cellText(value) : column.show(value));
  return text === "" ? "-" : text;
}

function roomFor(columnCount: number, { widthColumns }: Layout): number {
  return widthColumns === undefined ? Number.POSITIVE_INFINITY : widthColumns - gap.length * (columnCount - 1);
}

function line(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((text, index) => pad(truncateText(text, widths[index] ?? 0), widths[index] ?? 0))
    .join(gap)
    .trimEnd();
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

function paint(text: string, { color }: Layout): string {
  return color ? styleText("bold", text, { validateStream: false }) : text;
}
