import { CliError } from "../errors/cli-error.ts";
import { convertSites } from "../importers/convert-sites.ts";
import { type ImporterName, importers } from "../importers/importers.ts";
import type { FileFormat } from "../rows/formats.ts";
import type { FileProblem } from "../site-file/file-problem.ts";
import { asSentence } from "./as-sentence.ts";
import { collectWebsites } from "./collect-websites.ts";
import type { ImportFile } from "./import-file.ts";
import { placeText } from "./place-text.ts";
import { readRows } from "./read-rows.ts";
import type { Result } from "./result.ts";

/** What a file is read as. */
export type ImportSource =
  | { readonly format: FileFormat; readonly ignoresColumns?: boolean }
  | { readonly from: ImporterName };

/**
 * Reads a file with websites.
 *
 * @throws CliError `input_refused` if the entire file cannot be read in this format
 */
export async function readImportFile(text: string, source: ImportSource): Promise<ImportFile> {
  const file = await readSource(text, source);
  const count = file.entries.length + file.refused.length;
  if (count === 0) throw new CliError("input_refused", "The file contains no websites.");
  return file;
}

async function readSource(text: string, source: ImportSource): Promise<ImportFile> {
  if ("from" in source) return await readSites(text, source.from);
  const { format, ignoresColumns = false } = source;
  return format === "yaml" ? await readYaml(text) : await readRows(text, { format, ignoresColumns });
}

async function readYaml(text: string): Promise<ImportFile> {
  const { readSiteFile } = await import("../site-file/read-site-file.ts");
  const { entries, problems } = await readSiteFile(text, { isTolerant: true });
  // Without valid defaults, nobody can say which settings the file states for a website: a private one would become
  // public.
  const ofFile = problems.find(({ website }) => website === undefined);
  if (ofFile !== undefined) {
    const { place, problem } = ofFile;
    // What is wrong with the line itself continues the sentence: "is not valid YAML". Other problems name a field.
    const colon = /^(is|has) /.test(problem) ? "" : ":";
    throw new CliError(
      "input_refused",
      `Line ${place.number} of the file${colon} ${asSentence(problem)}`,
      problems.length === 1 ? undefined : "To see every problem of the file, run `siteward check` with it.",
    );
  }
  const byWebsite = Map.groupBy(problems, ({ website, domain }) => JSON.stringify([website, domain]));
  return { entries, refused: [...byWebsite.values()].flatMap(refuseWebsite), warnings: [] };
}

/** Joins the problems of one website, which counts once. It is where its first problem is, and each other line is named. */
function refuseWebsite(problems: readonly FileProblem[]): readonly Result[] {
  const [first] = problems;
  if (first === undefined) return [];
  const { domain, place } = first;
  let line = place.number;
  const reasons = problems.map(({ place: own, problem }) => {
    if (own.number === line) return problem;
    line = own.number;
    return `${placeText(own)}: ${problem}`;
  });
  return [{ place, domain, outcome: "refused", reason: reasons.join("; ") }];
}

async function readSites(text: string, name: ImporterName): Promise<ImportFile> {
  const websites = collectWebsites({ allowsPassword: true });
  const { dropped, droppedValues, isPartial } = convertSites(text, await importers[name](), websites.accept);
  const { warnings, ...file } = websites.finish();
  const fields = [...dropped].map(([field, count]) => `${field} (${count} ${count === 1 ? "site" : "sites"})`);
  const own = [
    ...(fields.length === 0
      ? []
      : [{ head: "These fields have no place in a website and are not imported:", things: fields }]),
    ...(droppedValues.length === 0 ? [] : [{ head: "These values are not imported:", things: droppedValues }]),
    ...(isPartial ? ["The file is one page of a longer list. Import the other pages too."] : []),
  ];
  return { ...file, warnings: [...own, ...warnings] };
}
