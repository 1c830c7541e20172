import { Privacy, type WebsiteSettings, websiteDefaults } from "@siteward/contract/website-settings";
import { hideUserInformation } from "../entries/hide-user-information.ts";
import { maxWebsites } from "../entries/max-websites.ts";
import { readEntry } from "../entries/read-entry.ts";
import type { PasswordSource, WebsiteEntry } from "../entries/website-entry.ts";
import { tooManyItems } from "./cut-site-file.ts";
import type { FileProblem } from "./file-problem.ts";
import { problemAt } from "./problem-at.ts";
import { ReadingStopped } from "./reading-stopped.ts";
import { type Item, type Mapping, splitSiteFile } from "./split-site-file.ts";

/** What a site file lists, and what is wrong with it. */
interface SiteFile {
  /** The websites without a problem, in the order of the file, with the defaults of the file. No domain is there twice. */
  readonly entries: readonly WebsiteEntry[];
  /** In the order of the file. */
  readonly problems: readonly FileProblem[];
}

/** The settings of every website of the file that states no others. */
interface Defaults {
  readonly settings: Partial<WebsiteSettings>;
  readonly password?: PasswordSource;
}

/** A website as its item states it, and the line of the field that states its password. */
interface Stated {
  readonly entry: WebsiteEntry;
  readonly passwordLine: number;
}

/** How a site file is read. */
interface ReadOptions {
  /** Whether websites are read that follow more than a thousand problems: an import skips those with a problem. Default: false. */
  readonly isTolerant?: boolean;
}

/** After so many problems, a tolerant reader lists only the first one of each website, and any other one stops. */
const maxProblems = 1_000;

/**
 * Reads a site file (docs/cli-plan.md): `version`, `defaults` and `websites` in YAML. Finds every problem at once, up to a
 * thousand. If the file is not YAML or past a limit, this is the only problem. An entry does not contain the settings that neither its
 * website nor the defaults state.
 *
 * @example
 * await readSiteFile("version: 1\nwebsites: [example.com]\n");
 * // { entries: [{ place: { unit: "line", number: 2 }, domain: "example.com", settings: {} }], problems: [] }
 */
export async function readSiteFile(text: string, { isTolerant = false }: ReadOptions = {}): Promise<SiteFile> {
  try {
    return await readParts(text, isTolerant);
  } catch (error) {
    if (error instanceof ReadingStopped)
      return { entries: [], problems: [...error.before, problemAt(error.line, error.message)] };
    throw error;
  }
}

async function readParts(text: string, isTolerant: boolean): Promise<SiteFile> {
  const stated = new Map<string, Stated>();
  const problems: FileProblem[] = [];
  let count = 0;
  const parts = await splitSiteFile(text, (item) => {
    count += 1;
    if (count > maxWebsites) throw new ReadingStopped(item.line, tooManyItems);
    const found = readItem(item, stated);
    problems.push(...(problems.length < maxProblems ? found : found.slice(0, 1)));
    if (problems.length >= maxProblems && !isTolerant) throw new ReadingStopped(item.line, andMore, problems);
  });
  problems.push(...parts.problems);
  const defaults = parts.defaults === undefined ? { settings: {} } : readDefaults(parts.defaults, problems);
  const entries: WebsiteEntry[] = [];
  for (const website of stated.values()) {
    const entry = completeEntry(website, defaults, problems);
    if (entry !== undefined) entries.push(entry);
    // These are in the order of the file, and there were fewer than a thousand before them.
    if (problems.length > 2 * maxProblems && !isTolerant) break;
  }
  const sorted = problems.toSorted((a, b) => a.place.number - b.place.number);
  return { entries, problems: isTolerant ? sorted : withoutMore(sorted) };
}

/** Returns the first thousand problems, and one that says where the others start. */
function withoutMore(problems: readonly FileProblem[]): readonly FileProblem[] {
  const next = problems[maxProblems];
  if (next === undefined) return problems;
  return [...problems.slice(0, maxProblems), problemAt(next.place.number, andOthers)];
}

const andOthers = "is the first line with problems that are not listed; fix those before it, and check the file again";

const andMore =
  "is the last line that was read, because of the problems before it; fix these, and check the file again";

/** Reads a website, without the defaults, which can be written below it. Returns what is wrong with it. */
function readItem({ line, mapping }: Item, stated: Map<string, Stated>): readonly FileProblem[] {
  if (mapping === undefined) {
    const problem = problemAt(line, 'is not a website; write a domain, or a mapping with "domain:"');
    return [{ ...problem, website: problem.place }];
  }
  const { domain: name } = mapping.fields;
  const { place } = problemAt(line, "");
  const website = { website: place, ...(typeof name === "string" ? { domain: hideUserInformation(name) } : {}) };
  const reading = readEntry(place, mapping.fields);
  if ("problems" in reading) return reading.problems.map((problem) => ({ ...problemOf(mapping, problem), ...website }));
  const { entry } = reading;
  const first = stated.get(entry.domain)?.entry;
  if (first !== undefined) {
    const problem = `is listed twice, first in line ${first.place.number}; remove one of them`;
    return [{ place, website: place, domain: entry.domain, problem }];
  }
  stated.set(entry.domain, { entry, passwordLine: mapping.lineOf(fieldOfPassword(entry)) });
  return [];
}

/** Returns the entry with the defaults; undefined if its password protects nothing. */
function completeEntry(
  { entry: stated, passwordLine }: Stated,
  defaults: Defaults,
  problems: FileProblem[],
): WebsiteEntry | undefined {
  const { password: own, ...entry } = stated;
  const settings = { ...defaults.settings, ...entry.settings };
  const isProtected = (settings.privacy ?? websiteDefaults.privacy) === Privacy.Password;
  if (own !== undefined && !isProtected) {
    const { place, domain } = entry;
    const problem =
      `${fieldOfPassword(stated)} protects nothing, because privacy is not password; ` +
      'add "privacy: password", or remove it';
    problems.push({ ...problemAt(passwordLine, problem), website: place, domain });
    return undefined;
  }
  const password = own ?? (isProtected ? defaults.password : undefined);
  return { ...entry, settings, ...(password === undefined ? {} : { password }) };
}

function fieldOfPassword({ password }: WebsiteEntry): string {
  return password !== undefined && "env" in password ? "password_env" : "password_file";
}

function readDefaults(mapping: Mapping, problems: FileProblem[]): Defaults {
  const { domain, ...fields } = mapping.fields;
  if (domain !== undefined) problems.push(problemOf(mapping, "domain is not a setting; add it to websites"));
  // Read as a website, which needs some domain.
  const reading = readEntry(problemAt(mapping.line, "").place, { ...fields, domain: "defaults.example" });
  if ("entry" in reading) return reading.entry;
  problems.push(...reading.problems.map((problem) => problemOf(mapping, problem)));
  return { settings: {} };
}

/** Places a problem in the line of the field that it begins with. */
function problemOf({ lineOf }: Mapping, problem: string): FileProblem {
  const field = /^"?([^\s"]+)/.exec(problem)?.[1] ?? "";
  return problemAt(lineOf(field), problem);
}
