import { maxWebsites, tooManyWebsites } from "../entries/max-websites.ts";
import { CliError } from "../errors/cli-error.ts";
import { type CsvRecord, maxRecordLength, parseCsv, tooLong } from "./parse-csv.ts";
import { linesOf } from "./read-lines.ts";
import type { Row, Rows, UnreadableRow } from "./row.ts";

/** The most columns. Exports of services have up to 30. */
const maxColumns = 1_000;

/**
 * Reads CSV with a header. Names of columns are compared without case, and with spaces and hyphens as underscores. Stops at the
 * first website that is too many.
 *
 * @throws CliError `input_refused` if the file has no header, two columns of one name, quotes in wrong places, or more columns
 *   or websites than a file may contain
 */
export function readCsv(text: string): Rows {
  if (countRecords(text) > maxWebsites + 1) throw tooManyWebsites();
  checkLines(text);
  let columns: readonly string[] | undefined;
  const rows: (Row | UnreadableRow)[] = [];
  let hasFields = false;
  parseCsv(text, (record) => {
    if (columns === undefined) {
      columns = readColumns(record);
      return;
    }
    const row = toRow(columns, record, hasFields);
    hasFields ||= "fields" in row;
    if (rows.push(row) > maxWebsites) throw tooManyWebsites();
  });
  if (columns !== undefined) return rows;
  throw new CliError("input_refused", "The CSV file is empty. Its first line names the columns.");
}

/** Counts lines that are not blank, up to the limit, before the parser copies the text. Line breaks in quotes do not count. */
function countRecords(text: string): number {
  let [count, isQuoted, isBlank] = [0, false, true];
  for (let index = 0; index < text.length && count <= maxWebsites + 1; index += 1) {
    const character = text[index];
    if (character === '"') isQuoted = !isQuoted;
    const isEnd = !isQuoted && (character === "\n" || character === "\r");
    if (isEnd && !isBlank) count += 1;
    isBlank = isEnd;
  }
  return count;
}

/** The parser would find most lines that are too long, but it does not count commas: 4 MB of them took 340 MB. */
function checkLines(text: string): void {
  let number = 0;
  for (const line of linesOf(text)) {
    number += 1;
    if (line.length > maxRecordLength) throw new CliError("input_refused", tooLong(number));
  }
}

function readColumns({ cells }: CsvRecord): readonly string[] {
  if (cells.length > maxColumns) {
    const limit = maxColumns.toLocaleString("en-US");
    throw new CliError(
      "input_refused",
      `The CSV file has more than ${limit} columns. Remove those that no website has.`,
    );
  }
  const columns = cells.map(toFieldName);
  if (columns[0]?.startsWith("sep=") === true) {
    throw new CliError(
      "input_refused",
      "The first line of the CSV file tells spreadsheets its separator (sep=). Remove this line: commas, semicolons and " +
        "tabs are recognized without it.",
    );
  }
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated === undefined) return columns;
  throw new CliError("input_refused", `The CSV file has two columns named ${JSON.stringify(repeated)}. Remove one.`);
}

function toFieldName(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}

/**
 * @param isShort whether the row gets only the columns of its cells. The first row says which columns the file has, and 100,000
 *   short rows with a thousand columns would take gigabytes.
 */
function toRow(columns: readonly string[], { line, cells }: CsvRecord, isShort: boolean): Row | UnreadableRow {
  const place = { unit: "line", number: line } as const;
  if (cells.length > columns.length) {
    return {
      place,
      problem: `has ${cells.length} cells, but the header has ${columns.length}; put a cell with a comma in quotes`,
    };
  }
  const named = isShort ? columns.slice(0, cells.length) : columns;
  const fields = named.map((column, index) => [
    column,
    column === "password" ? cells[index] : withoutGuard(cells[index]),
  ]);
  return { place, fields: Object.fromEntries(fields) };
}

/** Removes the apostrophe that `export` puts before a cell that a spreadsheet would run as a formula. */
function withoutGuard(cell: string | undefined): string | undefined {
  return cell?.replace(/^'(?='*[=+\-@\t\r])/, "");
}
