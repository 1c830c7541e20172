import { withList } from "../output/lists.ts";
import { CliError } from "../process/cli-error.ts";
import { showValue } from "../websites/field-reading.ts";
import { type Csv, type CsvRecord, readCsv } from "./csv.ts";
import { findUnknownFields, isKnownField } from "./entry.ts";
import type { Row, Rows } from "./rows.ts";

/** What people and other programs call the fields of a website, as `readCsv` returns names. */
const fieldsByName: ReadonlyMap<string, string> = new Map([
  ...["url", "site", "website", "host", "hostname", "main_url", "domain_name"].map((name) => [name, "domain"] as const),
  ["visibility", "privacy"],
  ...["ips", "excluded_ips"].map((name) => [name, "exclude_ips"] as const),
  ...["parameters", "excluded_parameters"].map((name) => [name, "exclude_params"] as const),
]);

/**
 * Reads the websites of a CSV file. Its header names the fields. A column that no website has is ignored, and a warning
 * names it. One that could be a misspelt field refuses the file: without its setting, a private website would become
 * public.
 *
 * @throws CliError `input_refused` if a column is wrong
 */
export function readColumns({ names, records }: Csv): Rows {
  const fields = toFields(names);
  const renamed = fields.flatMap((field, at) => (field === names[at] ? [] : [`${showValue(names[at])} as ${field}`]));
  const ignored = records.length === 0 ? [] : checkFields(fields);
  const read = fields.map((field) => (isKnownField(field) ? field : undefined));
  const warnings = [
    { head: "These columns are read as fields of a website:", things: renamed },
    { head: "These columns are ignored:", things: ignored },
  ];
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

/** Returns the names of the columns that are ignored. */
function checkFields(fields: readonly string[]): readonly string[] {
  const unknown = findUnknownFields(fields, { allowsPassword: true }, fields.length);
  const misspelt = unknown.filter(({ isMisspelt }) => isMisspelt).map(({ problem }) => problem);
  if (misspelt.length > 0)
    throw new CliError(
      "input_refused",
      withList("These columns could be misspelt:", misspelt),
      "Rename or remove them.",
    );
  if (!fields.includes("domain"))
    throw new CliError(
      "input_refused",
      "The CSV file has no column named domain.",
      'Name the columns in its first line, such as "domain,privacy".',
    );
  return unknown.map(({ name }) => showValue(name));
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
