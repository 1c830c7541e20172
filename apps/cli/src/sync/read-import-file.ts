import type { EntryRules } from "../entries/password-source.ts";
import { readEntry } from "../entries/read-entry.ts";
import { findUnknownFields } from "../entries/unknown-fields.ts";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import { CliError } from "../errors/cli-error.ts";
import { convertSites } from "../importers/convert-sites.ts";
import { type ImporterName, importers } from "../importers/importers.ts";
import { type FileFormat, rowFormats } from "../rows/formats.ts";
import type { Rows } from "../rows/row.ts";
import type { FileProblem } from "../site-file/file-problem.ts";
import type { Result } from "./result.ts";

/** The websites of a file, and the results of those that are not valid. */
export interface ImportFile {
  readonly entries: readonly WebsiteEntry[];
  readonly refused: readonly Result[];
  /** What of the sites of another service is not imported. */
  readonly dropped: readonly string[];
  /** Whether the file has only some of the sites of another service. */
  readonly isPartial?: boolean;
}

/** How many websites a file may contain. */
const maxWebsites = 100_000;

/**
 * Reads a file with websites.
 *
 * @throws CliError `input_refused` if the entire file cannot be read in this format
 */
export async function readImportFile(text: string, source: FileFormat | { from: ImporterName }): Promise<ImportFile> {
  const file = source === "yaml" ? await readYaml(text) : await readRowsOf(text, source);
  const count = file.entries.length + file.refused.length;
  if (count === 0) throw new CliError("input_refused", "The file contains no websites.");
  if (count <= maxWebsites) return file;
  const limit = maxWebsites.toLocaleString("en-US");
  throw new CliError("input_refused", `The file has more than ${limit} websites. Split it into several files.`);
}

async function readYaml(text: string): Promise<ImportFile> {
  const { readSiteFile } = await import("../site-file/read-site-file.ts");
  const { entries, problems } = await readSiteFile(text);
  // Without valid defaults, nobody can say which settings the file states for a website: a private one would become
  // public.
  const ofFile = problems.find(({ website }) => website === undefined);
  if (ofFile !== undefined) {
    const { place, problem } = ofFile;
    throw new CliError(
      "input_refused",
      `Line ${place.number} of the file: ${asSentence(problem)}`,
      "To see every problem of the file, run `siteward check` with it.",
    );
  }
  const byWebsite = Map.groupBy(problems, ({ website, domain }) => JSON.stringify([website, domain]));
  return { entries, refused: [...byWebsite.values()].flatMap(refuseWebsite), dropped: [] };
}

/** Joins the problems of one website, which counts once. */
function refuseWebsite(problems: readonly FileProblem[]): readonly Result[] {
  const [first] = problems;
  if (first === undefined) return [];
  const { domain, website: place = first.place } = first;
  return [{ place, domain, outcome: "refused", reason: problems.map(({ problem }) => problem).join("; ") }];
}

async function readRowsOf(
  text: string,
  source: Exclude<FileFormat, "yaml"> | { from: ImporterName },
): Promise<ImportFile> {
  if (typeof source !== "string") {
    const converted = convertSites(text, await importers[source.from](), source.from);
    const fields = [...converted.dropped].map(
      ([field, count]) => `${field} (${count} ${count === 1 ? "site" : "sites"})`,
    );
    const dropped = [...(fields.length === 0 ? [] : [`the fields ${fields.join(", ")}`]), ...converted.droppedValues];
    return { ...readEntries(converted.rows), dropped, isPartial: converted.isPartial };
  }
  const rows = (await rowFormats[source]())(text);
  if (source === "csv") checkColumns(rows);
  return { ...readEntries(rows), dropped: [] };
}

const rowRules = { allowsPassword: true } as const satisfies EntryRules;

/** Refuses a CSV file with an unknown column as a whole: every one of its lines would be refused. */
function checkColumns(rows: Rows): void {
  const first = rows.find((row) => "fields" in row);
  if (first === undefined) return;
  const columns = Object.keys(first.fields);
  const [problem] = findUnknownFields(columns, rowRules);
  if (problem !== undefined) throw new CliError("input_refused", `The column ${asSentence(problem)}`);
  if (columns.includes("domain")) return;
  throw new CliError("input_refused", "The CSV file has no column named domain. Name the columns in its first line.");
}

/** Ends a problem with a period, unless it ends with a question. */
function asSentence(problem: string): string {
  return problem.endsWith("?") ? problem : `${problem}.`;
}

function readEntries(rows: Rows): Pick<ImportFile, "entries" | "refused"> {
  const entries: WebsiteEntry[] = [];
  const refused: Result[] = [];
  for (const row of rows) {
    const { place } = row;
    const reading = "fields" in row ? readEntry(place, row.fields, rowRules) : { problems: [row.problem] };
    if ("entry" in reading) entries.push(reading.entry);
    else refused.push({ place, domain: statedDomain(row), outcome: "refused", reason: reading.problems.join("; ") });
  }
  return { entries, refused };
}

/** Returns the domain as the file states it, so that a person finds the website. */
function statedDomain(row: Rows[number]): string | undefined {
  const domain = "fields" in row ? row.fields["domain"] : undefined;
  return (typeof domain === "string" && domain.trim().slice(0, 253)) || undefined;
}
