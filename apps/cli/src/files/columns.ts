import { withList } from "../output/lists.ts";
import { CliError } from "../process/cli-error.ts";
import { showValue } from "../websites/field-reading.ts";
import { type Csv, type CsvRecord, readCsv } from "./csv.ts";
import { findUnknownFields } from "./entry.ts";
import type { Row, Rows } from "./rows.ts";

/** What people and other programs call the fields of a website, as `readCsv` returns names. */
const fieldsByName: ReadonlyMap<string, string> = new Map([
  ...["url", "site", "website", "host", "hostname", "main_url", "domain_name"].map((name) => [name, "domain"] as const),
  ["visibility", "privacy"],
  ...["ips", "excluded_ips"].map((name) => [name, "exclude_ips"] as const),
  ...["parameters", "excluded_parameters"].map((name) => [name, "exclude_params"] as const),
]);

/**
 * Reads the websites of a CSV file. Its header names the fields. A column that no website has refuses the file, as a
 * field of JSON does: the file may be that of another program, whose `privacy` is not ours, or the column is misspelt,
 * and without its setting, a private website would become public.
 *
 * @param chosen the fields whose columns are read. By default all, which must be known then
 * @throws CliError `input_refused` if a column is wrong
 */
export function readColumns({ names, records }: Csv, chosen?: readonly string[]): Rows {
  const fields = toFields(names);
  if (records.length > 0) checkFields(fields, chosen);
  const read = fields.map((field) => (chosen?.includes(field) === false ? undefined : field));
  const renamed = read.flatMap((field, at) =>
    field === undefined || field === names[at] ? [] : [`${showValue(names[at])} as ${field}`],
  );
  const warnings = [{ head: "These columns are read as fields of a website:", things: renamed }];
  return { rows: records.map((record) => toRow(record, read)), warnings };
}

/** Reads CSV whose columns have the names of another service. */
export function readForeignCsv(text: string): readonly Row[] {
  const { names, records } = readCsv(text);
  return records.map((record) => toRow(record, names));
}

/** Returns the field of each column. A field has the column of its own name, or else the first that means it. */
function toFields(names: readonly string[]): readonly string[] {
  const taken = new Set(names);
  return names.map((name) => {
    const field = fieldsByName.get(name);
    if (field === undefined || taken.has(field)) return name;
    taken.add(field);
    return field;
  });
}

function checkFields(fields: readonly string[], chosen: readonly string[] = []): void {
  const unknown = chosen.length > 0 ? [] : findUnknownFields(fields, { allowsPassword: true }, fields.length);
  const missing = ["domain", ...chosen].find((field) => !fields.includes(field));
  if (missing !== undefined && !unknown.some(({ meant }) => meant === missing))
    throw new CliError(
      "input_refused",
      `The CSV file has no column named ${missing}.`,
      'Name the columns in its first line, such as "domain,privacy".',
    );
  if (unknown.length === 0) return;
  const named = unknown.map(({ name, meant, problem }) => (meant === undefined ? name : problem));
  const next = fields.includes("privacy")
    ? 'If the file is that of another program, its "privacy" can mean something else: add --fields domain --privacy private.'
    : "Rename or remove them, or choose the columns to read, for example with --fields domain.";
  throw new CliError("input_refused", withList("No website has these columns:", named), next);
}

/** @param fields those of the columns; a cell without one is not read */
function toRow({ line, cells }: CsvRecord, fields: readonly (string | undefined)[]): Row {
  const place = { unit: "line", number: line } as const;
  if (cells.length > fields.length) {
    const counts = `has ${cells.length} cells, but the header has ${fields.length}`;
    return { place, problem: `${counts}; put a cell that contains a separator in quotes` };
  }
  const stated = cells.flatMap((cell, index) => {
    const field = fields[index];
    return field === undefined ? [] : [[field, field === "password" ? cell : withoutGuard(cell)] as const];
  });
  return { place, fields: Object.fromEntries(stated) };
}

/** Removes the apostrophe that `export` puts before a cell that a spreadsheet would run as a formula. */
function withoutGuard(cell: string): string {
  return cell.replace(/^'(?='*[=+\-@\t\r])/, "");
}
