import { cutSiteFile, listKey, type TextPart } from "./cut-site-file.ts";
import type { FileProblem } from "./file-problem.ts";
import { findWrongSections, siteFileVersion } from "./find-wrong-sections.ts";
import { type Mapping, mappingOf } from "./mapping.ts";
import { problemAt } from "./problem-at.ts";
import { ReadingStopped } from "./reading-stopped.ts";
import { statedTwice } from "./stated-twice.ts";
import { createYamlParser, type YamlParser } from "./yaml-parser.ts";
import { isRecord, type YamlField, type YamlValue } from "./yaml-value.ts";

/** What all websites of a file share. */
export interface Head {
  readonly defaults: Mapping | undefined;
  readonly lists: Mapping | undefined;
}

/** What of a site file is not a website. */
interface SiteFileParts extends Head {
  readonly problems: readonly FileProblem[];
}

/** An item of the list of websites, if it can be a website. */
export interface Item {
  readonly line: number;
  readonly mapping: Mapping | undefined;
}

/** Takes what a site file contains, as soon as it is read. */
interface SiteFileReader {
  /** Called with each item of the list of websites, in order. The items are not kept. */
  readonly onItem: (item: Item) => void;
  /** Called with the head before the first item, if it can be known then. */
  readonly onHead: (head: Head) => void;
}

/**
 * Splits a site file into its sections, and checks that it has them.
 *
 * @throws ReadingStopped at the first thing that is not YAML or past a limit
 */
export async function splitSiteFile(text: string, { onItem, onHead }: SiteFileReader): Promise<SiteFileParts> {
  const parse = await createYamlParser((item) => onItem(toItem(item)));
  const { head, list, below } = cutAll(text.replaceAll(/\r\n?/g, "\n"));
  const root = new Map<string, Section>();
  const top = parse(head);
  if (!isRecord(top?.data)) return { defaults: undefined, lists: undefined, problems: [notASiteFile(top)] };
  addSections(root, top, { data: top.data, isBelowList: false });
  const early = below && parseEarly(parse, below, list);
  if (early !== undefined) addBelow(root, early);
  if (below === undefined || early !== undefined) onHead(splitHead(root));
  for (const part of list) requireList(parse(part), part);
  if (below !== undefined && early === undefined) addBelow(root, parse(below));
  const [first] = root.values();
  const firstLine = first?.line ?? 1;
  const { problems, ...shared } = splitHead(root);
  const missing = list.length > 0 ? [] : splitWebsites(root.get(listKey), firstLine, onItem);
  return { ...shared, problems: [...findWrongSections(root, firstLine), ...problems, ...missing] };
}

/** The parts of a file: what is above the list of websites, or all of it, the list, and what is below it. */
interface Parts {
  readonly head: TextPart;
  readonly list: readonly TextPart[];
  readonly below: TextPart | undefined;
}

function cutAll(text: string): Parts {
  const [head = { text, line: 1, isWebsites: false }, ...others] = cutSiteFile(text);
  return {
    head,
    list: others.filter(({ isWebsites }) => isWebsites),
    below: others.find(({ isWebsites }) => !isWebsites),
  };
}

/**
 * Parses what is below the list before the list, since the defaults decide what is wrong with a website: 100,000 passwords that
 * protect nothing took 280 MB until they were known.
 *
 * @returns undefined if this must wait: an anchor of one part could be in the other, or what is below is not YAML, and what is
 *   wrong with the list is above it
 */
function parseEarly(parse: YamlParser, below: TextPart, list: readonly TextPart[]): YamlValue | undefined {
  if ([below, ...list].some(({ text }) => text.includes("&"))) return undefined;
  try {
    return parse(below);
  } catch (error) {
    if (error instanceof ReadingStopped) return undefined;
    throw error;
  }
}

function addBelow(root: Map<string, Section>, value: YamlValue | undefined): void {
  // The part starts with a key, so it is a mapping.
  if (value !== undefined && isRecord(value.data)) addSections(root, value, { data: value.data, isBelowList: true });
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

function requireList(value: YamlValue | undefined, { line }: TextPart): void {
  if (Array.isArray(value?.data)) return;
  throw new ReadingStopped(line, "is not valid YAML: the list of websites ends here");
}

function splitHead(root: ReadonlyMap<string, YamlField>): SiteFileParts {
  const defaults = splitMapping(
    root.get("defaults"),
    'defaults is not a mapping; write settings in it, such as "privacy: private"',
  );
  const lists = splitMapping(
    root.get("lists"),
    'lists is not a mapping; write a name and its entries in it, such as "office: [203.0.113.0/24]"',
  );
  return { defaults: defaults.mapping, lists: lists.mapping, problems: [...defaults.problems, ...lists.problems] };
}

/** @param problem what is wrong if the section has another value */
function splitMapping(
  field: YamlField | undefined,
  problem: string,
): { readonly mapping?: Mapping | undefined; readonly problems: readonly FileProblem[] } {
  if (field === undefined || field.value.data === "") return { problems: [] };
  const { line, value } = field;
  const mapping = mappingOf({ ...value, line }, value.data);
  return { mapping, problems: mapping === undefined ? [problemAt(line, problem)] : [] };
}

/** Reads a list that is not written with a dash per website: its items were read where it is written, unless an alias names it. */
function splitWebsites(
  list: YamlField | undefined,
  firstLine: number,
  onItem: (item: Item) => void,
): readonly FileProblem[] {
  const { data, isWritten, line = firstLine } = list?.value ?? {};
  if (Array.isArray(data)) {
    // These have the line of the alias.
    if (isWritten !== true) for (const item of data) onItem(toItem({ data: item, line }));
    return [];
  }
  const state = list === undefined ? "missing" : "not a list";
  const problem = `websites is ${state}; write one "- example.com" for each website, or [] if there are none`;
  return [problemAt(list?.line ?? firstLine, problem)];
}

function toItem(item: YamlValue): Item {
  const { data, line } = item;
  return { line, mapping: mappingOf(item, typeof data === "string" ? { domain: data } : data) };
}
