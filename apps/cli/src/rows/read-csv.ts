import { maxWebsites, tooManyWebsites } from "../entries/max-websites.ts";
import { CliError } from "../errors/cli-error.ts";
import { type CsvRecord, findDelimiter, maxRecordLength, parseCsv, tooLong } from "./parse-csv.ts";
import { linesOf } from "./read-lines.ts";
import type { AcceptRow, Row, UnreadableRow } from "./row.ts";

/** The most columns. Exports of services have up to 30. */
const maxColumns = 1_000;

/** The header of a CSV file. */
interface CsvHead {
  /** The names of the columns, without case, and with underscores for spaces and hyphens. */
  readonly columns: readonly string[];
  /** Whether a record follows. */
  readonly hasRecords: boolean;
}

/**
 * Reads the header of CSV, and no more of the file than its limits need. Websites are not counted: a file whose columns are wrong
 * would be split first, and refused again.
 *
 * @throws CliError `input_refused` if the file has no header, two columns of one name, quotes in wrong places in these lines, more
 *   columns than a file may contain, or a line that is too long
 */
export function readCsvHead(text: string): CsvHead {
  checkLines(text);
  const first: CsvRecord[] = [];
  parseCsv(text, (record) => first.push(record), 2);
  const [header] = first;
  if (header === undefined) {
    throw new CliError("input_refused", "The CSV file is empty. Its first line names the columns.");
  }
  return { columns: readColumns(header), hasRecords: first.length > 1 };
}

/** How the rows of CSV are read. */
interface CsvOptions {
  /** What `readCsvHead` found. Default: it is called. */
  readonly columns?: readonly string[];
  /** Whether a column is read. Cells of others are never part of a row. Default: all are. */
  readonly isRead?: (column: string) => boolean;
}

/**
 * Reads CSV with a header. A row has the columns of its cells.
 *
 * @throws CliError `input_refused` as `readCsvHead` does, and if quotes are in wrong places, or at the first website that is too many
 */
export function readCsv(
  text: string,
  accept: AcceptRow,
  { columns = readCsvHead(text).columns, isRead = () => true }: CsvOptions = {},
): void {
  if (countRecords(text) > maxWebsites + 1) throw tooManyWebsites();
  const read = columns.map((name, index) => ({ name, index })).filter(({ name }) => isRead(name));
  const delimiter = findDelimiter(text);
  let count = -1;
  parseCsv(text, (record) => {
    count += 1;
    if (count > maxWebsites) throw tooManyWebsites();
    if (count > 0) accept(toRow(record, { read, width: columns.length, delimiter }));
  });
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

/** The columns that are read, how many there are, and what separates their cells. */
interface Columns {
  readonly read: readonly { readonly name: string; readonly index: number }[];
  readonly width: number;
  readonly delimiter: string;
}

function toRow({ line, cells }: CsvRecord, { read, width, delimiter }: Columns): Row | UnreadableRow {
  const place = { unit: "line", number: line } as const;
  if (cells.length > width) {
    return { place, problem: `has ${cells.length} cells, but the header has ${width}; ${adviceOn(delimiter)}` };
  }
  const fields = read
    .filter(({ index }) => index < cells.length)
    .map(({ name, index }) => [name, name === "password" ? cells[index] : withoutGuard(cells[index])]);
  return { place, fields: Object.fromEntries(fields) };
}

function adviceOn(delimiter: string): string {
  if (delimiter === ",") return "put a cell with a comma in quotes";
  const name = delimiter === ";" ? "semicolon" : "tab";
  return `put a cell with a ${name} in quotes, and separate the entries of a list with commas`;
}

/** Removes the apostrophe that `export` puts before a cell that a spreadsheet would run as a formula. */
function withoutGuard(cell: string | undefined): string | undefined {
  return cell?.replace(/^'(?='*[=+\-@\t\r])/, "");
}
