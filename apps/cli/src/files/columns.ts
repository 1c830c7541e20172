import { withList } from "../output/lists.ts";
import type { Warning } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import { showValue } from "../websites/reading.ts";
import { type CsvRecord, readCsv } from "./csv.ts";
import { allowedFields, findUnknownFields, isKnownField } from "./entry.ts";
import type { Row } from "./rows.ts";

/** What people and other programs call the fields of a website, as `readCsv` returns names. */
const fieldsByName: ReadonlyMap<string, string> = new Map([
  ...["url", "site", "website", "host", "hostname", "main_url", "domain_name"].map((name) => [name, "domain"] as const),
  ["visibility", "privacy"],
  ...["ips", "excluded_ips"].map((name) => [name, "exclude_ips"] as const),
  ...["parameters", "excluded_parameters"].map((name) => [name, "exclude_params"] as const),
]);

/** The rows of a CSV file, and what a person should know of its columns. */
interface CsvRows {
  readonly rows: readonly Row[];
  readonly warnings: readonly Warning[];
}

const rules = { allowsPassword: true } as const;

/**
 * Reads CSV with websites. Its header names the fields. A column that no website has is ignored, and a warning names it. One that
 * could be a misspelt field refuses the file: without its setting, a private website would become public.
 *
 * @param checkNames called with the names of the columns
 * @throws CliError `input_refused` if the file is no CSV, or a column is wrong
 */
export function readCsvRows(text: string, checkNames: (names: readonly string[]) => void): CsvRows {
  const { names, records, delimiter } = readCsv(text);
  checkNames(names);
  const fields = toFields(names);
  const renamed = fields.flatMap((field, at) => (field === names[at] ? [] : [`${showValue(names[at])} as ${field}`]));
  const ignored = records.length === 0 ? [] : checkFields(fields);
  const read = fields.map((field) => (isKnownField(field) ? field : undefined));
  const warnings = [
    { head: "These columns are read as fields of a website:", things: renamed },
    { head: "These columns are ignored:", things: ignored },
  ];
  return {
    rows: records.map((record) => toRow(record, read, delimiter)),
    warnings: warnings.filter(({ things }) => things.length > 0),
  };
}

/** Reads CSV whose columns have the names of another service. */
export function readForeignCsv(text: string): readonly Row[] {
  const { names, records, delimiter } = readCsv(text);
  return records.map((record) => toRow(record, names, delimiter));
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
  const unknown = findUnknownFields(fields, { ...rules, maxUnknown: fields.length });
  const misspelt = unknown.filter(({ isMisspelt }) => isMisspelt).map(({ problem }) => problem);
  const hasDomain = fields.includes("domain");
  if (hasDomain && misspelt.length === 0) return unknown.map(({ name }) => showValue(name));
  if (!fields.some((field) => allowedFields(rules).includes(field)) && fields.some((field) => host.test(field)))
    throw new CliError(
      "input_refused",
      "The CSV file has no header: its first line looks like a website.",
      'Add a first line that names the columns, such as "domain,privacy".',
    );
  if (misspelt.length === 0)
    throw new CliError("input_refused", "The CSV file has no column named domain. Name the columns in its first line.");
  throw new CliError(
    "input_refused",
    misspelt.length === 1 ? `The column ${misspelt[0]}` : withList("These columns could be misspelt:", misspelt),
    hasDomain
      ? "Rename or remove the columns that could be misspelt."
      : "The first line names the columns. One of them is domain.",
  );
}

/** A domain or a URL, where the name of a column is expected. */
const host = /^(https?:\/\/)?[^\s/]+\.[^\s/.]{2,}\/?$/;

/** @param fields those of the columns; a cell without one is not read */
function toRow({ line, cells }: CsvRecord, fields: readonly (string | undefined)[], delimiter: string): Row {
  const place = { unit: "line", number: line } as const;
  if (cells.length > fields.length) {
    const name = delimiter === "," ? "comma" : delimiter === ";" ? "semicolon" : "tab";
    const advice = name === "comma" ? "" : ", and separate the entries of a list with commas";
    const counts = `has ${cells.length} cells, but the header has ${fields.length}`;
    return { place, problem: `${counts}; put a cell with a ${name} in quotes${advice}` };
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
