import { Privacy, type WebsiteSettings, websiteDefaults } from "@siteward/contract/website-settings";
import { hideUserInformation } from "../entries/hide-user-information.ts";
import { maxWebsites } from "../entries/max-websites.ts";
import { readEntry } from "../entries/read-entry.ts";
import type { PasswordSource, Place, WebsiteEntry } from "../entries/website-entry.ts";
import { tooManyItems } from "./cut-site-file.ts";
import { type FileProblem, maxProblems } from "./file-problem.ts";
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

/** The settings of every website of the file that states no others, and what is wrong with them. */
interface Defaults {
  readonly settings: Partial<WebsiteSettings>;
  readonly password?: PasswordSource;
  readonly problems: readonly FileProblem[];
}

/** A website as its item states it, and the line of the field that states its password. */
interface Stated {
  readonly entry: WebsiteEntry;
  readonly passwordLine: number;
}

/** What is wrong with a website. */
interface Refused {
  readonly problems: readonly FileProblem[];
}

/** How a site file is read. */
interface ReadOptions {
  /** Whether websites are read that follow more than a thousand problems: an import skips those with a problem. Default: false. */
  readonly isTolerant?: boolean;
}

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
  const websites = new Websites(isTolerant);
  const parts = await splitSiteFile(text, {
    onItem: (item) => websites.add(item),
    onDefaults: (mapping) => websites.setDefaults(readDefaults(mapping)),
  });
  websites.setDefaults(readDefaults(parts.defaults));
  const sorted = byLine([...websites.problems, ...parts.problems, ...websites.defaultsProblems]);
  return { entries: websites.entries, problems: isTolerant ? sorted : withoutMore(sorted) };
}

/** Reads the websites of a file, each with all that is wrong with it as soon as the defaults are known. */
class Websites {
  readonly entries: WebsiteEntry[] = [];
  readonly problems: FileProblem[] = [];
  readonly #isTolerant: boolean;
  /** Where each domain is stated first. */
  readonly #places = new Map<string, Place>();
  /** The websites that were read before the defaults. */
  readonly #waiting: Stated[] = [];
  #defaults: Defaults | undefined;
  #count = 0;

  constructor(isTolerant: boolean) {
    this.#isTolerant = isTolerant;
  }

  get defaultsProblems(): readonly FileProblem[] {
    return this.#defaults?.problems ?? [];
  }

  /** Takes the defaults, unless they were known before. */
  setDefaults(defaults: Defaults): void {
    if (this.#defaults !== undefined) return;
    this.#defaults = defaults;
    for (const website of this.#waiting) {
      this.#complete(website, defaults);
      // These are in the order of the file, and there were fewer than a thousand before them.
      if (this.problems.length > 2 * maxProblems && !this.#isTolerant) break;
    }
  }

  /** @throws ReadingStopped after a thousand problems, unless the reader is tolerant */
  add(item: Item): void {
    this.#count += 1;
    if (this.#count > maxWebsites) throw new ReadingStopped(item.line, tooManyItems);
    const reading = readItem(item, this.#places);
    if ("problems" in reading) this.#refuse(reading);
    else if (this.#defaults === undefined) this.#waiting.push(reading);
    else this.#complete(reading, this.#defaults);
    if (this.problems.length < maxProblems || this.#isTolerant) return;
    const above = this.defaultsProblems.filter(({ place }) => place.number < item.line);
    const sorted = byLine([...above, ...this.problems]);
    // The fields of the last website can be below its first line.
    throw new ReadingStopped(Math.max(item.line, sorted.at(-1)?.place.number ?? 0), andMore, sorted);
  }

  #complete(website: Stated, defaults: Defaults): void {
    const reading = completeEntry(website, defaults);
    if ("problems" in reading) this.#refuse(reading);
    else this.entries.push(reading);
  }

  #refuse({ problems }: Refused): void {
    this.problems.push(...(this.problems.length < maxProblems ? problems : problems.slice(0, 1)));
  }
}

function byLine(problems: readonly FileProblem[]): readonly FileProblem[] {
  return problems.toSorted((a, b) => a.place.number - b.place.number);
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

/** Reads a website, without the defaults, which can be written below it. */
function readItem({ line, mapping }: Item, places: Map<string, Place>): Stated | Refused {
  if (mapping === undefined) {
    const problem = problemAt(line, 'is not a website; write a domain, or a mapping with "domain:"');
    return { problems: [{ ...problem, website: problem.place }] };
  }
  const { domain: name } = mapping.fields;
  const { place } = problemAt(line, "");
  const website = { website: place, ...(typeof name === "string" ? { domain: hideUserInformation(name) } : {}) };
  const reading = readEntry(place, mapping.fields);
  if ("problems" in reading) {
    return { problems: reading.problems.map((problem) => ({ ...problemOf(mapping, problem), ...website })) };
  }
  const { entry } = reading;
  const first = places.get(entry.domain);
  if (first !== undefined) {
    const problem = `is listed twice, first in line ${first.number}; remove one of them`;
    return { problems: [{ place, website: place, domain: entry.domain, problem }] };
  }
  places.set(entry.domain, place);
  return { entry, passwordLine: mapping.lineOf(fieldOfPassword(entry)) };
}

/** Returns the entry with the defaults, or that its password protects nothing. */
function completeEntry({ entry: stated, passwordLine }: Stated, defaults: Defaults): WebsiteEntry | Refused {
  const { password: own, ...entry } = stated;
  const settings = { ...defaults.settings, ...entry.settings };
  const isProtected = (settings.privacy ?? websiteDefaults.privacy) === Privacy.Password;
  if (own !== undefined && !isProtected) {
    const { place, domain } = entry;
    const problem =
      `${fieldOfPassword(stated)} protects nothing, because privacy is not password; ` +
      'add "privacy: password", or remove it';
    return { problems: [{ ...problemAt(passwordLine, problem), website: place, domain }] };
  }
  const password = own ?? (isProtected ? defaults.password : undefined);
  return { ...entry, settings, ...(password === undefined ? {} : { password }) };
}

function fieldOfPassword({ password }: WebsiteEntry): string {
  return password !== undefined && "env" in password ? "password_env" : "password_file";
}

function readDefaults(mapping: Mapping | undefined): Defaults {
  if (mapping === undefined) return { settings: {}, problems: [] };
  const { domain, ...fields } = mapping.fields;
  const own = domain === undefined ? [] : [problemOf(mapping, "domain is not a setting; add it to websites")];
  // Read as a website, which needs some domain.
  const reading = readEntry(problemAt(mapping.line, "").place, { ...fields, domain: "defaults.example" });
  if ("entry" in reading) return { ...reading.entry, problems: own };
  return { settings: {}, problems: [...own, ...reading.problems.map((problem) => problemOf(mapping, problem))] };
}

/** Places a problem in the line of the field that it begins with. */
function problemOf({ lineOf }: Mapping, problem: string): FileProblem {
  const field = /^"?([^\s"]+)/.exec(problem)?.[1] ?? "";
  return problemAt(lineOf(field), problem);
}
