import { CliError } from "../errors/cli-error.ts";
import { type CsvRecord, parseCsv } from "./parse-csv.ts";
import type { Row, Rows, UnreadableRow } from "./row.ts";

/**
 * Reads CSV with a header. Names of columns are compared without case, and with spaces and hyphens as underscores.
 *
 * @throws CliError `input_refused` if the file has no header, two columns of one name, or quotes in wrong places
 */
export function readCsv(text: string): Rows {
  const [head, ...body] = parseCsv(text);
  if (head === undefined)
    throw new CliError("input_refused", "The CSV file is empty. Its first line names the columns.");
  const columns = head.cells.map(toFieldName);
  checkColumns(columns);
  return body.map((record) => toRow(columns, record));
}

function toFieldName(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}

function checkColumns(columns: readonly string[]): void {
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated === undefined) return;
  throw new CliError("input_refused", `The CSV file has two columns named ${JSON.stringify(repeated)}. Remove one.`);
}

function toRow(columns: readonly string[], { line, cells }: CsvRecord): Row | UnreadableRow {
  const place = { unit: "line", number: line } as const;
  if (cells.length > columns.length) {
    return {
      place,
      problem: `has ${cells.length} cells, but the header has ${columns.length}; put a cell with a comma in quotes`,
    };
  }
  const fields = columns.map((column, index) => [
    column,
    column === "password" ? cells[index] : withoutGuard(cells[index]),
  ]);
  return { place, fields: Object.fromEntries(fields) };
}

/** Removes the apostrophe that `export` puts before a cell that a spreadsheet would run as a formula. */
function withoutGuard(cell: string | undefined): string | undefined {
  return cell?.replace(/^'(?='*[=+\-@\t\r])/, "");
}
