import type { EntryRules } from "../entries/password-source.ts";
import { allowedFields, findUnknownFields, isKnownField, type UnknownField } from "../entries/unknown-fields.ts";
import { CliError } from "../errors/cli-error.ts";
import { recognizeService } from "../importers/recognize-service.ts";
import type { Warning } from "../output/notices.ts";
import { withList } from "../output/with-list.ts";
import { type FileFormat, rowFormats } from "../rows/formats.ts";
import { isJsonArray, parseJson } from "../rows/parse-json.ts";
import { showValue } from "../settings/reading.ts";
import { asSentence } from "./as-sentence.ts";
import { collectWebsites } from "./collect-websites.ts";
import type { ImportFile } from "./import-file.ts";

/** How the rows of a file are read. */
interface RowsSource {
  readonly format: Exclude<FileFormat, "yaml">;
  /** Whether columns of CSV that no website has are ignored. */
  readonly ignoresColumns: boolean;
}

const rules = { allowsPassword: true } as const satisfies EntryRules;

/**
 * Reads a list, CSV, JSON or NDJSON.
 *
 * @throws CliError `input_refused` if the file cannot be read in this format, or has the sites of another service
 */
export async function readRows(text: string, source: RowsSource): Promise<ImportFile> {
  if (source.format === "csv") return await readCsvRows(text, source);
  const read = await rowFormats[source.format]();
  const websites = collectWebsites(rules);
  if (source.format !== "json") {
    read(text, websites.accept);
    return websites.finish();
  }
  let first: unknown;
  try {
    read(text, (row) => {
      if ("fields" in row) first ??= row.fields;
      websites.accept(row);
    });
  } catch (error) {
    if (!isJsonArray(text)) await refuseAnswer(text);
    throw error;
  }
  const file = websites.finish();
  // Looks for another service only if something is wrong. The first item of an array shows it.
  if (file.refused.length > 0) await (isJsonArray(text) ? refuseOtherService([first]) : refuseAnswer(text));
  return file;
}

/** Parses the text again, as an answer of another service. */
async function refuseAnswer(text: string): Promise<void> {
  const parsed = parseJson(text);
  if (parsed.ok) await refuseOtherService(parsed.value);
}

/**
 * @param content an answer, or a record with the columns of a CSV file
 * @param unknown the columns that could be ignored instead, if the file can be a list of websites too
 */
async function refuseOtherService(content: unknown, unknown: readonly UnknownField[] = []): Promise<void> {
  const other = await recognizeService(content);
  if (other === undefined) return;
  const isOwnList = unknown.length > 0 && unknown.every(({ isMisspelt }) => !isMisspelt);
  const orIgnore = isOwnList ? " If it is a list of your own, ignore its other columns with --ignore-columns." : "";
  const next = `To import them, add --from ${other.name}.${orIgnore}`;
  throw new CliError("input_refused", `The file looks like the sites of ${other.service}.`, next);
}

async function readCsvRows(text: string, { ignoresColumns }: RowsSource): Promise<ImportFile> {
  const { readCsv, readCsvHead } = await import("../rows/read-csv.ts");
  const { columns, hasRecords } = readCsvHead(text);
  const ignored = hasRecords ? await checkColumns(columns, ignoresColumns) : [];
  const websites = collectWebsites(rules);
  readCsv(text, websites.accept, { columns, isRead: isKnownField });
  const { warnings, ...file } = websites.finish();
  return { ...file, warnings: [...ignored, ...warnings] };
}

/**
 * Refuses a CSV file with an unknown column as a whole, unless it is to be ignored: each of its lines would be refused.
 * A column that could be a misspelt field is never ignored: without its setting, a private website would become public.
 *
 * @returns a warning that names the columns that are ignored
 */
async function checkColumns(columns: readonly string[], ignoresColumns: boolean): Promise<readonly Warning[]> {
  // A service is recognized by the names of its fields.
  const record = Object.fromEntries(columns.map((column) => [column, ""]));
  const unknown = findUnknownFields(columns, { ...rules, maxUnknown: columns.length });
  const refused = ignoresColumns ? unknown.filter(({ isMisspelt }) => isMisspelt) : unknown;
  if (columns.includes("domain")) {
    if (unknown.length === 0) return [];
    if (refused.length === 0) {
      const names = unknown.map(({ name }) => showValue(name));
      return [{ head: "These columns are ignored:", things: names }];
    }
    await refuseOtherService(record, refused);
    throw columnError(refused, adviceOn(refused));
  }
  await refuseOtherService(record);
  if (!columns.some((column) => allowedFields(rules).includes(column)) && columns.some((column) => host.test(column))) {
    throw new CliError(
      "input_refused",
      "The CSV file has no header: its first line looks like a website.",
      'Add a first line that names the columns, such as "domain,privacy".',
    );
  }
  const next = "The first line names the columns. One of them is domain.";
  if (refused.length > 0) throw columnError(refused, next);
  throw new CliError("input_refused", "The CSV file has no column named domain. Name the columns in its first line.");
}

/** A domain or a URL, where the name of a column is expected. */
const host = /^(https?:\/\/)?[^\s/]+\.[^\s/.]{2,}\/?$/;

function adviceOn(refused: readonly UnknownField[]): string {
  if (refused.some(({ isMisspelt }) => isMisspelt)) {
    return "Rename or remove the columns that could be misspelt. --ignore-columns ignores only the others.";
  }
  if (refused.length === 1) return "To ignore it, use --ignore-columns.";
  return `Use only ${allowedFields(rules).join(", ")}, or ignore the others with --ignore-columns.`;
}

function columnError(refused: readonly UnknownField[], next: string): CliError {
  const [first, ...others] = refused;
  if (first !== undefined && others.length === 0) {
    return new CliError("input_refused", `The column ${asSentence(first.problem)}`, next);
  }
  const suggestions = refused.map(({ suggestion }) => suggestion);
  return new CliError("input_refused", withList("These columns are unknown:", suggestions), next);
}
