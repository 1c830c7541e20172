import type { WebsiteEntry } from "../entry.ts";
import { isObject, maxWebsites } from "../rows.ts";
import { type FileProblem, maxOfEach, problemAt } from "./file-problem.ts";
import type { LineFinder } from "./find-lines.ts";
import { type Mapping, SharedLists } from "./lists.ts";
import { readDefaults, readWebsite } from "./read-website.ts";

/** What a site file lists, and what is wrong with it. */
interface SiteFile {
  /**
   * The websites without a problem, in the order of the file, with the defaults of the file and the entries of its
   * lists. No domain is there twice.
   */
  readonly entries: readonly WebsiteEntry[];
  /** In the order of the file. After a thousand, only the first one of each website is there. */
  readonly problems: readonly FileProblem[];
  /** The lists that the websites share; undefined if the file is not one that can be read. */
  readonly lists?: SharedLists;
}

/** The version of the format that this CLI reads and writes. */
export const siteFileVersion = "1";

const sections = ["version", "lists", "defaults", "websites"];

/** How many unknown sections are listed. */
const maxUnknown = 100;

/** Sections that are ignored, as in Docker Compose: a place for shared anchors. */
const extension = /^x-/;

/**
 * Reads a site file (docs/cli-plan.md): `version`, `lists`, `defaults` and `websites` in YAML. Finds every problem at
 * once. If the file is not YAML or past a limit, this is the only problem. An entry does not contain the settings that
 * neither its website nor the defaults state. Loads the YAML library.
 *
 * @example
 * await readSiteFile("version: 1\nwebsites: [example.com]\n");
 * // { entries: [{ place: { unit: "line", number: 2 }, domain: "example.com", settings: {} }], problems: [] }
 */
export async function readSiteFile(text: string): Promise<SiteFile> {
  const { readYaml } = await import("./read-yaml.ts");
  const yaml = readYaml(text);
  if ("problem" in yaml) return { entries: [], problems: [yaml.problem] };
  const { value: file, lineOf } = yaml;
  if (!isObject(file)) return { entries: [], problems: [problemAt(lineOf(), notASiteFile)] };
  const items: readonly unknown[] = Array.isArray(file["websites"]) ? file["websites"] : [];
  if (items.length > maxWebsites)
    return { entries: [], problems: [problemAt(lineOf("websites", maxWebsites), tooManyWebsites)] };
  const sectionOf = (name: string): Mapping => {
    const section = file[name];
    return { fields: isObject(section) ? section : {}, lineOf: (field) => lineOf(name, field) };
  };
  const lists = new SharedLists(sectionOf("lists"));
  const defaults = readDefaults(sectionOf("defaults"), lists);
  const { entries, problems } = readWebsites(items, lineOf, { defaults, lists });
  const all = [...findWrongSections(file, lineOf), ...lists.problems, ...defaults.problems, ...problems];
  all.sort((one, other) => one.place.number - other.place.number);
  return { entries, problems: all, lists };
}

const notASiteFile = `is not a site file; write "version: ${siteFileVersion}", and "websites:" with a list of domains`;
const tooManyWebsites = `is past the limit of ${maxWebsites.toLocaleString("en-US")} websites; split the file`;

/** Returns what is wrong with the sections of a file. One without a value is not stated, apart from the websites. */
function findWrongSections(file: Readonly<Record<string, unknown>>, lineOf: LineFinder): readonly FileProblem[] {
  const problems: FileProblem[] = [];
  const add = (name: string, problem: string): void => void problems.push(problemAt(lineOf(name), problem));
  const unknown = Object.keys(file).filter((name) => !sections.includes(name) && !extension.test(name));
  for (const name of unknown.slice(0, maxUnknown))
    add(name, `${name.slice(0, 60)} is unknown; use only ${sections.join(", ")}, and x-… for anchors`);
  const { version, websites } = file;
  if (version !== siteFileVersion)
    add("version", `version is not ${siteFileVersion}; write "version: ${siteFileVersion}", or update siteward`);
  for (const [name, example] of Object.entries(exampleOf)) {
    const section = file[name];
    if (!isObject(section) && section !== undefined && section !== "")
      add(name, `${name} is not a mapping; ${example}`);
  }
  if (!Array.isArray(websites))
    add("websites", 'websites is not a list; write one "- example.com" for each website, or [] if there are none');
  return problems;
}

const exampleOf = {
  defaults: 'write settings in it, such as "privacy: private"',
  lists: 'write a name and its entries in it, such as "office: [203.0.113.0/24]"',
} as const;

function readWebsites(
  items: readonly unknown[],
  lineOf: LineFinder,
  shared: Pick<Parameters<typeof readWebsite>[1], "defaults" | "lists">,
): Pick<SiteFile, "entries" | "problems"> {
  const [entries, problems]: [WebsiteEntry[], FileProblem[]] = [[], []];
  /** The line in which each domain is stated first. */
  const lines = new Map<string, number>();
  for (const [index, value] of items.entries()) {
    const item = { value, lineOf: (...field: readonly string[]) => lineOf("websites", index, ...field) };
    const max = maxOfEach(problems.length);
    const reading = readWebsite(item, { ...shared, maxProblems: max });
    if ("problems" in reading) {
      problems.push(...reading.problems.slice(0, max));
      continue;
    }
    const { domain, place } = reading;
    const first = lines.get(domain);
    if (first === undefined) {
      lines.set(domain, place.number);
      entries.push(reading);
    } else {
      const problem = `is listed twice, first in line ${first}; remove one of them`;
      problems.push({ place, website: place, domain, problem });
    }
  }
  return { entries, problems };
}
