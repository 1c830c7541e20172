import { Privacy, websiteDefaults } from "@siteward/contract/plain";
import { type EntryRules, type Place, readEntry, type WebsiteEntry } from "../entry.ts";
import { isObject } from "../rows.ts";
import { hideUserInformation } from "../stated-domain.ts";
import { type FileProblem, problemAt } from "./file-problem.ts";
import type { Mapping, SharedLists } from "./lists.ts";

/** The settings of every website that states no others, the lists in them, and what is wrong with them. */
export interface Defaults extends Pick<WebsiteEntry, "settings" | "lists" | "password"> {
  readonly problems: readonly FileProblem[];
}

/** Reads the defaults of a file. */
export function readDefaults(section: Mapping, lists: SharedLists): Defaults {
  const { fields, names, problems } = lists.expand(section);
  const own = Object.hasOwn(fields, "domain") ? ["domain is not a setting; add it to websites"] : [];
  // Read as a website, which needs some domain.
  const reading = readEntry({ unit: "line", number: 0 }, { ...fields, domain: "defaults.example" });
  const wrong = [...own, ...("problems" in reading ? reading.problems : [])].map((each) => problemOf(section, each));
  const stated = "entry" in reading ? reading.entry : { settings: {} };
  return { ...stated, lists: names, problems: [...problems, ...wrong] };
}

/** An item of the list of websites. */
interface Item {
  readonly value: unknown;
  /** Returns the line of a field, or without one, that of the item. */
  readonly lineOf: (...field: readonly string[]) => number;
}

/** What is the same for all websites of a file, and how many problems of this one are looked for. */
interface Shared extends Pick<EntryRules, "maxProblems"> {
  readonly defaults: Defaults;
  readonly lists: SharedLists;
}

/** Reads a website. What is wrong with a list that it uses is listed there. */
export function readWebsite(
  { value, lineOf }: Item,
  { defaults, lists, maxProblems }: Shared,
): WebsiteEntry | { readonly problems: readonly FileProblem[] } {
  const place: Place = { unit: "line", number: lineOf() };
  const item = { fields: typeof value === "string" ? { domain: value } : isObject(value) ? value : {}, lineOf };
  const { domain } = item.fields;
  const refuse = (...problems: readonly FileProblem[]) => {
    const website =
      typeof domain === "string" ? { website: place, domain: hideUserInformation(domain) } : { website: place };
    return { problems: problems.map((problem) => ({ ...problem, ...website })) };
  };
  if (typeof value !== "string" && !isObject(value)) return refuse({ place, problem: notAWebsite });
  const { fields, names, problems } = lists.expand(item);
  const reading = readEntry(place, fields, { maxProblems });
  const wrong = "problems" in reading ? reading.problems.map((problem) => problemOf(item, problem)) : [];
  if (!("entry" in reading) || problems.length > 0) return refuse(...problems, ...wrong);
  const complete = addDefaults(reading.entry, defaults, names);
  return "fault" in complete ? refuse(problemOf(item, complete.fault)) : complete;
}

/** Returns the entry with the defaults and the lists that it uses, or that its password protects nothing. */
function addDefaults(
  { password: own, ...entry }: WebsiteEntry,
  defaults: Defaults,
  names: WebsiteEntry["lists"],
): WebsiteEntry | { readonly fault: string } {
  const settings = { ...defaults.settings, ...entry.settings };
  const isProtected = (settings.privacy ?? websiteDefaults.privacy) === Privacy.Password;
  if (own !== undefined && !isProtected) {
    const field = "env" in own ? "password_env" : "password_file";
    const advice = 'add "privacy: password", or remove it';
    return { fault: `${field} protects nothing, because privacy is not password; ${advice}` };
  }
  const password = own ?? (isProtected ? defaults.password : undefined);
  // A website that states a setting itself does not use the lists of the defaults.
  const shared = Object.entries(defaults.lists ?? {}).filter(([field]) => !Object.hasOwn(entry.settings, field));
  const used = { ...Object.fromEntries(shared), ...names };
  return {
    ...entry,
    settings,
    ...(Object.keys(used).length === 0 ? {} : { lists: used }),
    ...(password === undefined ? {} : { password }),
  };
}

const notAWebsite = 'is not a website; write a domain, or a mapping with "domain:"';

/** Places a problem in the line of the field that it begins with. */
function problemOf({ lineOf }: Pick<Mapping, "lineOf">, problem: string): FileProblem {
  const field = /^"?([^\s"]+)/.exec(problem)?.[1] ?? "";
  return problemAt(lineOf(field), problem);
}
