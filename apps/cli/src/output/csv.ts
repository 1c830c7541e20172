import { fieldValue } from "./fields.ts";
import { cellText, type Renderer } from "./view.ts";

/** RFC 4180 with a header. Each record is printed as it arrives. */
export const csv: Renderer = {
  async *list(records, { view, fields = Object.keys(view) }) {
    yield line(fields);
    for await (const record of records) yield line(fields.map((field) => cellText(fieldValue(record, field))));
  },
};

function line(cells: readonly string[]): string {
  return `${cells.map((cell) => quote(withoutFormula(withoutControls(cell)))).join(",")}\r\n`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Removes control characters, which CSV cannot escape. Tabs and line breaks stay. */
function withoutControls(cell: string): string {
  return cell.replace(controls, "");
}

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula (OWASP, "CSV Injection"), and before one
 * that looks as if that had been done, so that an import can undo it.
 */
function withoutFormula(cell: string): string {
  return /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
