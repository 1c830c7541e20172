import type { Warning } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import { readColumns } from "./columns.ts";
import { readCsv } from "./csv.ts";
import { type EntryReading, readEntry, type WebsiteEntry } from "./entry.ts";
import type { FileFormat } from "./formats.ts";
import { isObject, parseJsonFile, type Row, type Rows, readItems, readList, readNdjson } from "./rows.ts";
import { readServiceRows, refuseServices } from "./services/read-services.ts";
import type { ServiceName } from "./services/table.ts";
import { type FileProblem, maxOfEach } from "./site/file-problem.ts";
import { findHost, hideUserInformation } from "./stated-domain.ts";

/** What a file is read as. */
export type FileSource =
  /** @param columns the fields whose columns of a CSV file are read. Default: all columns, which must be known then */
  { readonly format: FileFormat; readonly columns?: readonly string[] | undefined } | { readonly from: ServiceName };

/** The websites of a file. */
export interface WebsiteFile {
  readonly entries: readonly WebsiteEntry[];
  /** What is not a valid website, once for each. */
  readonly refused: readonly FileProblem[];
  /** What a person should know of how the file was read. */
  readonly warnings: readonly Warning[];
}

/**
 * Reads a file with websites.
 *
 * @throws CliError `input_refused` if the entire file cannot be read in this format, or has the sites of another
 *   service
 */
export async function readWebsites(text: string, source: FileSource): Promise<WebsiteFile> {
  const file = await readSource(text, source);
  if (file.entries.length + file.refused.length > 0) return file;
  throw new CliError("input_refused", "The file contains no websites.");
}

async function readSource(text: string, source: FileSource): Promise<WebsiteFile> {
  if ("from" in source) return readRows(readServiceRows(text, source.from));
  const { format, columns } = source;
  if (columns !== undefined && format !== "csv")
    throw new CliError("usage", `--fields chooses columns of a CSV file. This file is read as ${format}.`);
  switch (format) {
    case "yaml":
      return await readYaml(text);
    case "csv": {
      const csv = readCsv(text);
      if (columns === undefined) refuseServices(Object.fromEntries(csv.names.map((name) => [name, ""])));
      return readRows(readColumns(csv, columns));
    }
    case "json":
      return readJson(text);
    case "ndjson":
      return readRows({ rows: readNdjson(text) });
    case "list":
      return readRows({ rows: readList(text) });
  }
}

/** Reads JSON: an array of websites or domains, an answer with it in `data`, or one website. */
function readJson(text: string): WebsiteFile {
  const value = parseJsonFile(text);
  refuseServices(value);
  const items = isObject(value) ? ("domain" in value ? [value] : value["data"]) : value;
  if (Array.isArray(items)) return readRows({ rows: readItems(items) });
  const message = 'The file is JSON without an array of websites. Send [{"domain": "example.com"}].';
  throw new CliError("input_refused", message);
}

/** How much of a URL a warning shows. */
const maxShown = 100;

/**
 * Turns rows into websites. A domain that is written as a URL is its host, and a warning says so. After a thousand
 * wrong websites, only the first problem of each is listed.
 */
function readRows({ rows, warnings = [] }: Rows): WebsiteFile {
  const entries: WebsiteEntry[] = [];
  const refused: FileProblem[] = [];
  const hosts: string[] = [];
  for (const row of rows) {
    const { place } = row;
    const domain = statedDomain(row);
    const host = findHost(domain);
    if (host !== undefined)
      hosts.push(`${place.unit} ${place.number}: ${domain.slice(0, maxShown)} is read as ${host}`);
    const reading = readRow(row, host, maxOfEach(refused.length));
    if ("entry" in reading) entries.push(reading.entry);
    else {
      const shown = hideUserInformation(domain).slice(0, 253);
      refused.push({ place, domain: shown || undefined, problem: reading.problems.join("; ") });
    }
  }
  const asHosts = { head: "These domains are not written as host names:", things: hosts };
  const said = [...warnings, asHosts].filter((warning) => typeof warning === "string" || warning.things.length > 0);
  return { entries, refused, warnings: said };
}

/** Returns the domain as the file states it; an empty string if it states none. */
function statedDomain(row: Row): string {
  const domain = "fields" in row ? row.fields["domain"] : undefined;
  return typeof domain === "string" ? domain.trim() : "";
}

function readRow(row: Row, host: string | undefined, maxProblems: number | undefined): EntryReading {
  if ("problem" in row) return { problems: [row.problem] };
  const fields = host === undefined ? row.fields : { ...row.fields, domain: host };
  return readEntry(row.place, fields, { allowsPassword: true, maxProblems });
}

async function readYaml(text: string): Promise<WebsiteFile> {
  const { readSiteFile } = await import("./site/read-site-file.ts");
  const { entries, problems } = await readSiteFile(text);
  // Without valid defaults, nobody can say which settings the file states for a website: a private one would become
  // public.
  const ofFile = problems.find(({ website }) => website === undefined);
  if (ofFile !== undefined) {
    const { place, problem } = ofFile;
    const advice = "To see every problem of the file, run `siteward check` with it.";
    const message = `Line ${place.number} of the file: ${problem}${problem.endsWith("?") ? "" : "."}`;
    throw new CliError("input_refused", message, advice);
  }
  const byWebsite = Map.groupBy(problems, ({ website }) => website);
  return { entries, refused: [...byWebsite.values()].flatMap(refuseWebsite), warnings: [] };
}

/** Joins the problems of one website, which is at its first problem. */
function refuseWebsite([first, ...others]: readonly FileProblem[]): readonly FileProblem[] {
  if (first === undefined) return [];
  const { domain, place, problem } = first;
  const rest = others.map((other) =>
    other.place.number === place.number ? other.problem : `line ${other.place.number}: ${other.problem}`,
  );
  return [{ place, domain, problem: [problem, ...rest].join("; ") }];
}
