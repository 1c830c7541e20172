import { CsvError, parse } from "csv-parse/sync";
import { CliError } from "../errors/cli-error.ts";

/** A record of a CSV file, and the line in which it starts. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Longer than a website with full lists: 500 networks and 100 parameters of 128 characters take 36,000 characters. */
export const maxRecordLength = 100_000;

/**
 * Parses CSV (RFC 4180) with commas, semicolons or tabs, whichever its first line has most of. Blank lines are ignored.
 *
 * @param accept called with each record, in order. What it throws ends the parsing.
 * @param maxRecords how many records are read. Default: all
 * @throws CliError `input_refused` if a quote is in the wrong place: nobody can say which of the lines after it are meant
 */
export function parseCsv(text: string, accept: (record: CsvRecord) => void, maxRecords?: number): void {
  const content = text.replaceAll(/\r\n?/g, "\n");
  try {
    parse(content, {
      delimiter: findDelimiter(text),
      record_delimiter: "\n",
      max_record_size: maxRecordLength,
      relax_column_count: true,
      skip_empty_lines: true,
      ...(maxRecords === undefined ? {} : { to: maxRecords }),
      on_record: (cells: readonly string[], { lines }) => {
        accept({ line: lines - countLineBreaks(cells), cells });
        // Nothing of the record is kept.
        return null;
      },
    });
  } catch (error) {
    if (error instanceof CsvError) throw new CliError("input_refused", describeError(error, content));
    throw error;
  }
}

/** Returns what separates the cells: a comma, a semicolon or a tab. */
export function findDelimiter(text: string): string {
  // Blank lines above the header are ignored, as all others.
  const [head = ""] = text.trimStart().split(/[\r\n]/, 1);
  const count = (delimiter: string): number => head.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}

function countLineBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);
}

function describeError({ code, lines = 1 }: CsvError & { readonly lines?: number }, text: string): string {
  if (code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE") {
    const opened = findOpenQuote(text);
    if (opened === undefined || opened > lines) return tooLong(lines);
    return `A quote that is opened in line ${opened} of the CSV file is not closed.`;
  }
  return (
    `Line ${lines} of the CSV file has a quote in the wrong place. ` +
    'Put the entire cell in quotes, and write "" for a quote in it.'
  );
}

/** Returns the line of the first quote that is not closed within the longest record. Two quotes in a cell are one of its text. */
function findOpenQuote(text: string): number | undefined {
  for (let open = text.indexOf('"'); open !== -1; ) {
    let close = text.indexOf('"', open + 1);
    while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
    if (close === -1 || close - open > maxRecordLength) return countLineBreaks([text.slice(0, open)]) + 1;
    open = text.indexOf('"', close + 1);
  }
  return undefined;
}

/** Says that a record is too long. */
export function tooLong(line: number | undefined): string {
  return (
    `A line of the CSV file has more than ${maxRecordLength} characters, ` + `or a quote is not closed (line ${line}).`
  );
}
