import type { EntryRules } from "../entries/password-source.ts";
import { allowedFields, findUnknownFields } from "../entries/unknown-fields.ts";
import { CliError } from "../errors/cli-error.ts";
import { recognizeService } from "../importers/recognize-service.ts";
import { withList } from "../output/with-list.ts";
import { type FileFormat, rowFormats } from "../rows/formats.ts";
import { parseJson } from "../rows/parse-json.ts";
import { asSentence } from "./as-sentence.ts";
import type { ImportFile } from "./import-file.ts";
import { readWebsiteRows } from "./read-website-rows.ts";

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
  const readAll = async () => readWebsiteRows(read(text), rules);
  if (source.format !== "json") return await readAll();
  // Looks for another service only if something is wrong, since the text is parsed again.
  const file = await readAll().catch(async (error: unknown) => {
    await refuseAnswer(text);
    throw error;
  });
  if (file.refused.length > 0) await refuseAnswer(text);
  return file;
}

async function refuseAnswer(text: string): Promise<void> {
  const parsed = parseJson(text);
  if (parsed.ok) await refuseOtherService(parsed.value);
}

/** @param content an answer, or the first record of a CSV file */
async function refuseOtherService(content: unknown): Promise<void> {
  const other = await recognizeService(content);
  if (other === undefined) return;
  const next = `To import them, add --from ${other.name}.`;
  throw new CliError("input_refused", `The file looks like the sites of ${other.service}.`, next);
}

async function readCsvRows(text: string, { ignoresColumns }: RowsSource): Promise<ImportFile> {
  const rows = (await rowFormats.csv())(text);
  const first = rows.find((row) => "fields" in row);
  const ignored = first === undefined ? [] : await checkColumns(first.fields, ignoresColumns);
  const { warnings, ...file } = readWebsiteRows(rows, { ...rules, ignoresUnknown: ignored.length > 0 });
  return { ...file, warnings: [...ignored, ...warnings] };
}

const ignoreIt = "To ignore it, use --ignore-columns.";

/**
 * Refuses a CSV file with an unknown column as a whole, unless it is to be ignored: each of its lines would be refused.
 *
 * @param fields those of the first record
 * @returns a warning that names the columns that are ignored
 */
async function checkColumns(
  fields: Readonly<Record<string, unknown>>,
  ignoresColumns: boolean,
): Promise<readonly string[]> {
  const columns = Object.keys(fields);
  const unknown = findUnknownFields(columns, rules);
  const hasDomain = columns.includes("domain");
  if (hasDomain && unknown.length === 0) return [];
  const named = unknown.map(({ suggestion }) => suggestion);
  if (hasDomain && ignoresColumns) return [withList("These columns are ignored:", named)];
  await refuseOtherService(fields);
  if (unknown.length === 0 || ignoresColumns) {
    throw new CliError("input_refused", "The CSV file has no column named domain. Name the columns in its first line.");
  }
  const next = hasDomain
    ? `Use only ${allowedFields(rules).join(", ")}, or ignore the others with --ignore-columns.`
    : "The first line names the columns. One of them is domain.";
  const [first, ...others] = unknown;
  if (first !== undefined && others.length === 0) {
    throw new CliError("input_refused", `The column ${asSentence(first.problem)}`, hasDomain ? ignoreIt : next);
  }
  throw new CliError("input_refused", withList("These columns are unknown:", named), next);
}
