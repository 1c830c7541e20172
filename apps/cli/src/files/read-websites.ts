import type { Warning } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import { type EntryReading, type Place, readEntry, type WebsiteEntry } from "./entry.ts";
import type { FileFormat } from "./formats.ts";
import { findError, isObject, parseJsonFile, type Row, readItems, readList, readNdjson } from "./rows.ts";
import type { ServiceName } from "./services.ts";
import { type FileProblem, maxProblems } from "./site/file-problem.ts";
import { findHost, hideUserInformation } from "./stated-domain.ts";

/** What a file is read as. */
export type FileSource = { readonly format: FileFormat } | { readonly from: ServiceName };

/** Something in a file that is not a valid website. */
interface RefusedWebsite {
  readonly place: Place;
  /** As the file states it, if it states one. */
  readonly domain?: string | undefined;
  readonly reason: string;
}

/** The websites of a file. */
export interface WebsiteFile {
  readonly entries: readonly WebsiteEntry[];
  readonly refused: readonly RefusedWebsite[];
  /** What a person should know of how the file was read. */
  readonly warnings: readonly Warning[];
}

/**
 * Reads a file with websites.
 *
 * @throws CliError `input_refused` if the entire file cannot be read in this format, or has the sites of another service
 */
export async function readWebsites(text: string, source: FileSource): Promise<WebsiteFile> {
  const file = await readSource(text, source);
  if (file.entries.length + file.refused.length > 0) return file;
  throw new CliError("input_refused", "The file contains no websites.");
}

async function readSource(text: string, source: FileSource): Promise<WebsiteFile> {
  if ("from" in source) {
    const { rows, warnings } = (await import("./services.ts")).readServiceRows(text, source.from);
    return readRows(rows, warnings);
  }
  switch (source.format) {
    case "yaml":
      return await readYaml(text);
    case "csv": {
      const { refuseServices } = await import("./services.ts");
      const { readCsvRows } = await import("./columns.ts");
      const { rows, warnings } = readCsvRows(text, (names) =>
        refuseServices(Object.fromEntries(names.map((name) => [name, ""]))),
      );
      return readRows(rows, warnings);
    }
    case "json":
      return await readJson(text);
    case "ndjson":
      return readRows(readNdjson(text));
    case "list":
      return readRows(readList(text));
  }
}

/** Reads JSON: an array of websites or of domains, an answer of the service, which has the array in `data`, or one website. */
async function readJson(text: string): Promise<WebsiteFile> {
  const value = parseJsonFile(text);
  const items = isObject(value) ? ("domain" in value ? [value] : value["data"]) : value;
  const file = Array.isArray(items) ? readRows(readItems(items)) : undefined;
  // Looks for another service only if something is wrong.
  if (file?.refused.length !== 0) (await import("./services.ts")).refuseServices(value);
  if (file !== undefined) return file;
  const error = findError(value);
  throw new CliError(
    "input_refused",
    error === undefined
      ? 'The file is JSON without an array of websites. Send [{"domain": "example.com"}].'
      : `The file is an error, not websites: ${error}.`,
  );
}

/** How much of a URL a warning shows. */
const maxShown = 100;

/**
 * Turns rows into websites. A domain that is written as a URL or in quotes is its host, and a warning says so. After a thousand
 * problems, only the first one of each website is listed.
 */
function readRows(rows: readonly Row[], warnings: readonly Warning[] = []): WebsiteFile {
  const entries: WebsiteEntry[] = [];
  const refused: RefusedWebsite[] = [];
  const hosts: string[] = [];
  let count = 0;
  for (const row of rows) {
    const { place } = row;
    const domain = statedDomain(row);
    const host = findHost(domain);
    if (host !== undefined)
      hosts.push(`${place.unit} ${place.number}: ${domain.slice(0, maxShown)} is read as ${host}`);
    const max = count < maxProblems ? undefined : 1;
    const reading = readRow(row, host, max);
    if ("entry" in reading) {
      entries.push(reading.entry);
      continue;
    }
    count += reading.problems.length;
    const reason = reading.problems.slice(0, max).join("; ");
    refused.push({ place, domain: hideUserInformation(domain).slice(0, 253) || undefined, reason });
  }
  const asHosts = { head: "These domains are not written as host names:", things: hosts };
  return { entries, refused, warnings: hosts.length === 0 ? warnings : [...warnings, asHosts] };
}

/** Returns the domain as the file states it, so that a person finds the website; an empty string if it states none. */
function statedDomain(row: Row): string {
  const domain = "fields" in row ? row.fields["domain"] : undefined;
  return typeof domain === "string" ? domain.trim() : "";
}

function readRow(row: Row, host: string | undefined, maxUnknown: number | undefined): EntryReading {
  if ("problem" in row) return { problems: [row.problem] };
  const fields = host === undefined ? row.fields : { ...row.fields, domain: host };
  return readEntry(row.place, fields, { allowsPassword: true, maxUnknown });
}

async function readYaml(text: string): Promise<WebsiteFile> {
  const { readSiteFile } = await import("./site/read-site-file.ts");
  const { entries, problems } = await readSiteFile(text);
  // Without valid defaults, nobody can say which settings the file states for a website: a private one would become
  // public.
  const ofFile = problems.find(({ website }) => website === undefined);
  if (ofFile !== undefined) {
    const { place, problem } = ofFile;
    // What is wrong with the line itself continues the sentence: "is not valid YAML". Other problems name a field.
    const colon = /^(is|has|starts|repeats) /.test(problem) ? "" : ":";
    const end = problem.endsWith("?") ? "" : ".";
    throw new CliError(
      "input_refused",
      `Line ${place.number} of the file${colon} ${problem}${end}`,
      problems.length === 1 ? undefined : "To see every problem of the file, run `siteward check` with it.",
    );
  }
  const byWebsite = Map.groupBy(problems, ({ website, domain }) => JSON.stringify([website, domain]));
  return { entries, refused: [...byWebsite.values()].flatMap(refuseWebsite), warnings: [] };
}

/** Joins the problems of one website, which counts once. It is at its first problem, and each other line is named. */
function refuseWebsite([first, ...others]: readonly FileProblem[]): readonly RefusedWebsite[] {
  if (first === undefined) return [];
  const { domain, place } = first;
  let { number } = place;
  const rest = others.map((other) => {
    if (other.place.number === number) return other.problem;
    number = other.place.number;
    return `line ${number}: ${other.problem}`;
  });
  return [{ place, domain, reason: [first.problem, ...rest].join("; ") }];
}
