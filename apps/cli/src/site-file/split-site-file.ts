import { cutSiteFile, listKey, type TextPart } from "./cut-site-file.ts";
import type { FileProblem } from "./file-problem.ts";
import { problemAt } from "./problem-at.ts";
import { ReadingStopped } from "./reading-stopped.ts";
import { statedTwice } from "./stated-twice.ts";
import { createYamlParser } from "./yaml-parser.ts";
import { isRecord, type YamlField, type YamlValue } from "./yaml-value.ts";

/** What of a site file is not a website. */
interface SiteFileParts {
  readonly defaults: Mapping | undefined;
  readonly problems: readonly FileProblem[];
}

/** A mapping with the fields of a website. */
export interface Mapping {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly line: number;
  /** Returns the line of a field; that of the mapping if it does not contain the field itself. */
  readonly lineOf: (field: string) => number;
}

/** An item of the list of websites, if it can be a website. */
export interface Item {
  readonly line: number;
  readonly mapping: Mapping | undefined;
}

/** The version of the format that this CLI reads and writes. */
export const siteFileVersion = "1";

const sections = ["version", "defaults", listKey];

/** How many unknown sections are listed. */
const maxUnknown = 100;

/** Sections that are ignored, as in files of Docker Compose: a place for anchors that the websites share. */
const extension = /^x-/;

/**
 * Splits a site file into its sections, and checks that it has them.
 *
 * @param onItem called with each item of the list of websites, in order. The items are not kept.
 * @throws ReadingStopped at the first thing that is not YAML or past a limit
 */
export async function splitSiteFile(text: string, onItem: (item: Item) => void): Promise<SiteFileParts> {
  const parse = await createYamlParser();
  const root = new Map<string, Section>();
  let hasList = false;
  for (const part of cutSiteFile(text.replaceAll(/\r\n?/g, "\n"))) {
    const value = parse(part);
    hasList ||= part.isWebsites;
    if (part.isWebsites) for (const item of requireItems(value, part)) onItem(toItem(item));
    else if (!isRecord(value?.data)) return { defaults: undefined, problems: [notASiteFile(value)] };
    else addSections(root, value, { data: value.data, isBelowList: hasList });
  }
  const [first] = root.values();
  const firstLine = first?.line ?? 1;
  const defaults = splitDefaults(root.get("defaults"));
  const missing = hasList ? [] : splitWebsites(root.get("websites"), firstLine, onItem);
  return {
    defaults: defaults.mapping,
    problems: [...findWrongSections(root, firstLine), ...defaults.problems, ...missing],
  };
}

function notASiteFile(value: YamlValue | undefined): FileProblem {
  const problem = `is not a site file; write "version: ${siteFileVersion}", and "websites:" with a list of domains`;
  return problemAt(value?.line ?? 1, problem);
}

interface Section extends YamlField {
  /** Whether it is written in the file itself, and not in a mapping that a merge key names. */
  readonly isWritten: boolean;
}

/** What is below the list belongs to the same mapping as what is above it. What is written counts, and then what is merged first. */
function addSections(
  root: Map<string, Section>,
  { line, fields }: YamlValue,
  { data, isBelowList }: { readonly data: Readonly<Record<string, unknown>>; readonly isBelowList: boolean },
): void {
  for (const name of Object.keys(data)) {
    // The key of the list is there again.
    if (isBelowList && name === listKey) continue;
    const written = fields?.get(name);
    const known = root.get(name);
    if (written !== undefined && known?.isWritten === true) throw new ReadingStopped(written.line, statedTwice(name));
    if (written !== undefined) root.set(name, { ...written, isWritten: true });
    else if (known === undefined) root.set(name, { line, value: { data: data[name], line }, isWritten: false });
  }
}

function requireItems(value: YamlValue | undefined, { line }: TextPart): readonly YamlValue[] {
  const items = itemsOf(value);
  if (items === undefined) throw new ReadingStopped(line, "is not valid YAML: the list of websites ends here");
  return items;
}

function findWrongSections(root: ReadonlyMap<string, YamlField>, firstLine: number): readonly FileProblem[] {
  const unknown = [...root].filter(([name]) => !sections.includes(name) && !extension.test(name));
  const problems = unknown
    .slice(0, maxUnknown)
    .map(([name, { line }]) =>
      problemAt(line, `${name.slice(0, 60)} is unknown; use only ${sections.join(", ")}, and x-… for anchors`),
    );
  const version = root.get("version");
  if (version === undefined)
    problems.push(problemAt(firstLine, `version is missing; add "version: ${siteFileVersion}"`));
  else if (version.value.data !== siteFileVersion) {
    problems.push(
      problemAt(version.line, `version is not ${siteFileVersion}; update siteward, or use ${siteFileVersion}`),
    );
  }
  return problems;
}

function splitDefaults(field: YamlField | undefined): { mapping?: Mapping; problems: readonly FileProblem[] } {
  if (field === undefined || field.value.data === "") return { problems: [] };
  const { line, value } = field;
  const mapping = mappingOf({ ...value, line }, value.data);
  if (mapping !== undefined) return { mapping, problems: [] };
  return {
    problems: [problemAt(line, 'defaults is not a mapping; write settings in it, such as "privacy: private"')],
  };
}

/** Reads a list that is not written with a dash per website. */
function splitWebsites(
  list: YamlField | undefined,
  firstLine: number,
  onItem: (item: Item) => void,
): readonly FileProblem[] {
  const items = itemsOf(list?.value);
  for (const item of items ?? []) onItem(toItem(item));
  if (items !== undefined) return [];
  const state = list === undefined ? "missing" : "not a list";
  const problem = `websites is ${state}; write one "- example.com" for each website, or [] if there are none`;
  return [problemAt(list?.line ?? firstLine, problem)];
}

/** The items of a list that an alias names have the line of the alias. */
function itemsOf(value: YamlValue | undefined): readonly YamlValue[] | undefined {
  if (value === undefined || !Array.isArray(value.data)) return undefined;
  const { data, line, items } = value;
  return items ?? data.map((item: unknown) => ({ data: item, line }));
}

function toItem(item: YamlValue): Item {
  const { data, line } = item;
  return { line, mapping: mappingOf(item, typeof data === "string" ? { domain: data } : data) };
}

function mappingOf({ line, fields: written }: YamlValue, fields: unknown): Mapping | undefined {
  if (!isRecord(fields)) return undefined;
  return { fields, line, lineOf: (field) => written?.get(field)?.line ?? line };
}
