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
 * @throws CliError `input_refused` if a quote is in the wrong place: nobody can say which of the lines after it are meant
 */
export function parseCsv(text: string, accept: (record: CsvRecord) => void): void {
  try {
    parse(text.replaceAll(/\r\n?/g, "\n"), {
      delimiter: findDelimiter(text),
      record_delimiter: "\n",
      max_record_size: maxRecordLength,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: readonly string[], { lines }) => {
        accept({ line: lines - countLineBreaks(cells), cells });
        // Nothing of the record is kept.
        return null;
      },
    });
  } catch (error) {
    if (error instanceof CsvError) throw new CliError("input_refused", describeError(error));
    throw error;
  }
}

function findDelimiter(text: string): string {
  // Blank lines above the header are ignored, as all others.
  const [head = ""] = text.trimStart().split(/[\r\n]/, 1);
  const count = (delimiter: string): number => head.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}

function countLineBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);
}

function describeError({ code, lines }: CsvError & { readonly lines?: number }): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") return "The CSV file has a quote that is not closed.";
  if (code === "CSV_MAX_RECORD_SIZE") return tooLong(lines);
  return (
    `Line ${lines} of the CSV file has a quote in the wrong place. ` +
    'Put the entire cell in quotes, and write "" for a quote in it.'
  );
}

/** Says that a record is too long. */
export function tooLong(line: number | undefined): string {
  return (
    `A line of the CSV file has more than ${maxRecordLength} characters, ` + `or a quote is not closed (line ${line}).`
  );
}
