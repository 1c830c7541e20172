import { CsvError, parse } from "csv-parse/sync";
import { CliError } from "../process/cli-error.ts";
import { maxWebsites, tooManyWebsites } from "./rows.ts";

/** A CSV file. */
export interface Csv {
  /** Of the columns, in lower case and with underscores for spaces and hyphens. No two are the same. */
  readonly names: readonly string[];
  readonly records: readonly CsvRecord[];
}

/** A record of a CSV file, and the line in which it starts. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Longer than a website with full lists, of 36,000 characters. */
const maxRecordLength = 100_000;

/** The most columns. Exports of services have up to 30. */
const maxColumns = 1_000;

/**
 * Reads CSV (RFC 4180) with commas, semicolons or tabs, whichever its first line has most of, or the one that Excel's
 * line `sep=;` names. Lines without a value are ignored.
 *
 * @throws CliError `input_refused` if a quote is in the wrong place, since nobody can say which of the lines after it
 *   are meant, if the file has no header or two columns of one name, or if it is past a limit
 */
export function readCsv(text: string): Csv {
  const [, separator] = /^\s*"?sep=([,;\t])"?\r?\n/i.exec(text) ?? [];
  const [header, ...records] = parseRecords(separator === undefined ? text : text.replace(/sep=./i, ""), separator);
  if (header === undefined) throw refusal("The CSV file is empty. Its first line names the columns.");
  const names = header.cells.map((title) =>
    title
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, "_"),
  );
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return { names, records };
  throw refusal(`The CSV file has two columns named ${JSON.stringify(repeated)}. Remove one.`);
}

function findDelimiter(text: string): string {
  // Blank lines above the header are ignored, as all others.
  const [head = ""] = text.trimStart().split(/[\r\n]/, 1);
  const count = (delimiter: string): number => head.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}

function parseRecords(text: string, delimiter = findDelimiter(text)): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let last = 0;
  try {
    parse(text.replaceAll(/\r\n?/g, "\n"), {
      delimiter,
      record_delimiter: "\n",
      max_record_size: maxRecordLength,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record: (cells: readonly string[], { lines }) => {
        if (cells.length > maxColumns && records.length === 0) throw refusal(tooManyColumns);
        if (records.length > maxWebsites) throw tooManyWebsites();
        // A cell can contain line breaks.
        records.push({ line: lines - cells.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0), cells });
        last = lines;
        // Nothing of the record is kept by the library.
        return null;
      },
    });
  } catch (error) {
    throw error instanceof CsvError ? refusal(describeError(error, last + 1)) : error;
  }
  return records;
}

/** @param next the line after the last one that was read: blank lines, and the record with the error */
function describeError({ code, lines }: CsvError & { readonly lines?: number }, next: number): string {
  if (code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE") {
    const limit = maxRecordLength.toLocaleString("en-US");
    return `A line of the CSV file has more than ${limit} characters, or a quote is not closed (line ${next}).`;
  }
  const advice = 'Put the entire cell in quotes, and write "" for a quote in it.';
  return `Line ${lines ?? next} of the CSV file has a quote in the wrong place. ${advice}`;
}

const tooManyColumns = `The CSV file has more than ${maxColumns.toLocaleString("en-US")} columns. Remove those that no website has.`;

function refusal(message: string): CliError {
  return new CliError("input_refused", message);
}
