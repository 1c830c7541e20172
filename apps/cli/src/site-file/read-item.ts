import { Privacy, type WebsiteSettings, websiteDefaults } from "@siteward/contract/website-settings";
import { hideUserInformation } from "../entries/hide-user-information.ts";
import { readEntry } from "../entries/read-entry.ts";
import type { PasswordSource, Place, WebsiteEntry } from "../entries/website-entry.ts";
import { type ListsOfSettings, settingsOfLists, splitFields } from "./expand-settings.ts";
import type { FileProblem } from "./file-problem.ts";
import { nameOf } from "./list-items.ts";
import type { Mapping } from "./mapping.ts";
import { problemAt } from "./problem-at.ts";
import type { ListUse, SharedLists } from "./shared-lists.ts";
import type { Item } from "./split-site-file.ts";

/** The settings of every website of the file that states no others, and what is wrong with them. */
export interface Defaults {
  readonly settings: Partial<WebsiteSettings>;
  /** The lists that these name. */
  readonly lists: ListsOfSettings;
  readonly password?: PasswordSource;
  readonly problems: readonly FileProblem[];
}

/** A website as its item states it, with the settings that name lists, and the line of the field that states its password. */
export interface Stated {
  readonly entry: WebsiteEntry;
  readonly uses: readonly ListUse[];
  readonly passwordLine: number;
}

/** What is wrong with a website: nothing if it is a list that it uses, whose problems are its own. */
export interface Refused {
  readonly problems: readonly FileProblem[];
}

/** Reads a website, without the defaults and the entries of lists, which can be written below it. */
export function readItem({ line, mapping }: Item, places: Map<string, Place>): Stated | Refused {
  if (mapping === undefined) {
    const problem = problemAt(line, 'is not a website; write a domain, or a mapping with "domain:"');
    return { problems: [{ ...problem, website: problem.place }] };
  }
  const { domain: name } = mapping.fields;
  const { place } = problemAt(line, "");
  const website = { website: place, ...(typeof name === "string" ? { domain: hideUserInformation(name) } : {}) };
  if (typeof name === "string" && nameOf(name) !== undefined) {
    return { problems: [{ ...problemOf(mapping, listAsDomain), ...website }] };
  }
  const { fields, uses } = splitFields(mapping);
  const reading = readEntry(place, fields);
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
  return { entry, uses, passwordLine: mapping.lineOf(fieldOfPassword(entry)) };
}

const listAsDomain =
  'domain begins with "@", as the name of a list; name lists in exclude_ips or exclude_params, and write a domain here';

/**
 * Returns the entry with the defaults and the entries of its lists, or that its password protects nothing.
 *
 * @throws ReadingStopped if the file repeats too many entries
 */
export function completeEntry(stated: Stated, defaults: Defaults, shared: SharedLists): WebsiteEntry | Refused {
  const { password: own, ...entry } = stated.entry;
  const { place, domain } = entry;
  const ofLists = settingsOfLists(stated.uses, shared);
  if (ofLists.problems !== undefined) {
    return { problems: ofLists.problems.map((problem) => ({ ...problem, website: place, domain })) };
  }
  const settings = { ...defaults.settings, ...entry.settings, ...ofLists.settings };
  const isProtected = (settings.privacy ?? websiteDefaults.privacy) === Privacy.Password;
  if (own !== undefined && !isProtected) {
    const problem =
      `${fieldOfPassword(stated.entry)} protects nothing, because privacy is not password; ` +
      'add "privacy: password", or remove it';
    return { problems: [{ ...problemAt(stated.passwordLine, problem), website: place, domain }] };
  }
  const password = own ?? (isProtected ? defaults.password : undefined);
  const lists = { ...withoutStated(defaults.lists, entry.settings), ...ofLists.lists };
  return {
    ...entry,
    settings,
    ...(Object.keys(lists).length === 0 ? {} : { lists }),
    ...(password === undefined ? {} : { password }),
  };
}

/** A website that states a setting itself does not use the lists of the defaults. */
function withoutStated(lists: ListsOfSettings, stated: WebsiteEntry["settings"]): ListsOfSettings {
  return Object.fromEntries(Object.entries(lists).filter(([field]) => !Object.hasOwn(stated, field)));
}

function fieldOfPassword({ password }: WebsiteEntry): string {
  return password !== undefined && "env" in password ? "password_env" : "password_file";
}

/** Reads the defaults of a file, with the entries of their lists. */
export function readDefaults(mapping: Mapping | undefined, shared: SharedLists): Defaults {
  if (mapping === undefined) return { settings: {}, lists: {}, problems: [] };
  const { fields: stated, uses } = splitFields(mapping);
  const { domain, ...fields } = stated;
  const own = domain === undefined ? [] : [problemOf(mapping, "domain is not a setting; add it to websites")];
  // Read as a website, which needs some domain.
  const reading = readEntry(problemAt(mapping.line, "").place, { ...fields, domain: "defaults.example" });
  if ("problems" in reading) {
    const problems = reading.problems.map((problem) => problemOf(mapping, problem));
    return { settings: {}, lists: {}, problems: [...own, ...problems] };
  }
  const { settings, lists, problems = [] } = settingsOfLists(uses, shared);
  const { password } = reading.entry;
  return {
    settings: { ...reading.entry.settings, ...settings },
    lists,
    ...(password === undefined ? {} : { password }),
    problems: [...own, ...problems],
  };
}

/** Places a problem in the line of the field that it begins with. */
function problemOf({ lineOf }: Mapping, problem: string): FileProblem {
  const field = /^"?([^\s"]+)/.exec(problem)?.[1] ?? "";
  return problemAt(lineOf(field), problem);
}
