import { fieldValue } from "./fields.ts";
import type { Layout, Renderer } from "./renderer.ts";
import { cellText } from "./view.ts";

/** RFC 4180 with a header, each record written as it arrives. */
export const csv: Renderer = {
  async *list(records, layout) {
    yield header(layout);
    for await (const record of records) yield row(record, layout);
  },
  one: (record, layout) => `${header(layout)}${row(record, layout)}`,
};

function header(layout: Layout): string {
  return line(columns(layout));
}

function row(record: object, layout: Layout): string {
  return line(columns(layout).map((field) => cellText(fieldValue(record, field))));
}

function columns({ fields, view }: Layout): readonly string[] {
  return fields ?? Object.keys(view);
}

function line(cells: readonly string[]): string {
  return `${cells.map((cell) => quote(withoutFormula(withoutControls(cell)))).join(",")}\r\n`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** CSV has no escapes, so what a terminal could obey is left out; tabs and line breaks stay. */
function withoutControls(cell: string): string {
  return cell.replace(controls, "");
}

/** Spreadsheets run a cell that begins so as a formula; the apostrophe makes it text (OWASP, "CSV Injection"). */
function withoutFormula(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
