import { Privacy, type WebsiteSettings, websiteDefaults } from "@siteward/contract/website-settings";
import { hideUserInformation } from "../entries/hide-user-information.ts";
import { readEntry } from "../entries/read-entry.ts";
import type { PasswordSource, Place, WebsiteEntry } from "../entries/website-entry.ts";
import type { FileProblem } from "./file-problem.ts";
import { type Mapping, splitSiteFile } from "./split-site-file.ts";

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

/**
 * Reads a site file (docs/cli-plan.md): `version`, `defaults` and `websites` in YAML. Finds every problem at once. An entry does
 * not contain the settings that neither its website nor the defaults state.
 *
 * @example
 * await readSiteFile("version: 1\nwebsites: [example.com]\n");
 * // { entries: [{ place: { unit: "line", number: 2 }, domain: "example.com", settings: {} }], problems: [] }
 */
export async function readSiteFile(text: string): Promise<SiteFile> {
  const parts = await splitSiteFile(text);
  const problems: FileProblem[] = [...parts.problems];
  const defaults = parts.defaults === undefined ? { settings: {} } : readDefaults(parts.defaults, problems);
  const entries = new Map<string, WebsiteEntry>();
  for (const mapping of parts.websites) {
    const entry = readWebsite(mapping, defaults, problems);
    if (entry === undefined) continue;
    const { place, domain } = entry;
    const first = entries.get(domain);
    if (first === undefined) entries.set(domain, entry);
    else
      problems.push({
        place,
        website: place,
        domain,
        problem: `is listed twice, first in line ${first.place.number}; remove one of them`,
      });
  }
  return { entries: [...entries.values()], problems: problems.toSorted((a, b) => a.place.number - b.place.number) };
}

function readDefaults(mapping: Mapping, problems: FileProblem[]): Defaults {
  const { domain, ...fields } = mapping.fields;
  if (domain !== undefined) problems.push(problemOf(mapping, "domain is not a setting; add it to websites"));
  // Read as a website, which needs some domain.
  const reading = readEntry(placeAt(mapping.line), { ...fields, domain: "defaults.example" });
  if ("entry" in reading) return reading.entry;
  problems.push(...reading.problems.map((problem) => problemOf(mapping, problem)));
  return { settings: {} };
}

function readWebsite(mapping: Mapping, defaults: Defaults, problems: FileProblem[]): WebsiteEntry | undefined {
  const { domain: name } = mapping.fields;
  const website = {
    website: placeAt(mapping.line),
    ...(typeof name === "string" ? { domain: hideUserInformation(name) } : {}),
  };
  const reading = readEntry(placeAt(mapping.line), mapping.fields);
  if ("problems" in reading) {
    problems.push(...reading.problems.map((problem) => ({ ...problemOf(mapping, problem), ...website })));
    return undefined;
  }
  const { password: stated, ...entry } = reading.entry;
  const settings = { ...defaults.settings, ...entry.settings };
  const isProtected = (settings.privacy ?? websiteDefaults.privacy) === Privacy.Password;
  if (stated !== undefined && !isProtected) {
    const field = "env" in stated ? "password_env" : "password_file";
    const problem = `${field} protects nothing, because privacy is not password; add "privacy: password", or remove it`;
    problems.push({ ...problemOf(mapping, problem), ...website });
    return undefined;
  }
  const password = stated ?? (isProtected ? defaults.password : undefined);
  return { ...entry, settings, ...(password === undefined ? {} : { password }) };
}

/** Places a problem in the line of the field that it begins with. */
function problemOf({ lineOf }: Mapping, problem: string): FileProblem {
  const field = /^"?([^\s"]+)/.exec(problem)?.[1] ?? "";
  return { place: placeAt(lineOf(field)), problem };
}

function placeAt(line: number): Place {
  return { unit: "line", number: line };
}
