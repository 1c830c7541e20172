import { fieldValue } from "./fields.ts";
import { cellText, type Layout, type Renderer } from "./view.ts";

/** RFC 4180 with a header. Each record is printed as it arrives. */
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Removes control characters, which a terminal could obey: CSV cannot escape them. Tabs and line breaks stay. */
function withoutControls(cell: string): string {
  return cell.replace(controls, "");
}

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula (OWASP, "CSV Injection"), and before one that looks as
 * if that had been done, so that an import can undo it.
 */
function withoutFormula(cell: string): string {
  return /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
