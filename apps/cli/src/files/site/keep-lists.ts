import type { ListName } from "../../websites/settings.ts";
import type { FileProblem } from "./file-problem.ts";
import { entryText, nameText } from "./list-parts.ts";
import { readSiteFile } from "./read-site-file.ts";

/** What of a site file stays in the export that replaces it. */
export interface EarlierFile {
  /** In their order. */
  readonly domains: readonly string[];
  /** The lists, each with its entries as the file writes them. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /**
   * Returns the entries of a setting of a website, with the names of the lists that the file names there, as a file
   * writes both. Undefined if it names none there, nor in its defaults.
   */
  readonly fold: (domain: string, field: ListName, entries: readonly string[]) => readonly string[] | undefined;
}

/** Reads what of a site file stays, or why not all of its lists can, whatever is wrong with its websites. */
export async function readEarlierSiteFile(text: string): Promise<EarlierFile | { readonly problem: FileProblem }> {
  const { entries, problems, lists } = await readSiteFile(text);
  // What cannot be read at all can have lists.
  const [problem] = lists?.problems ?? (section.test(text) ? problems : []);
  if (problem !== undefined) return { problem };
  const namesOf = new Map(entries.map((entry) => [entry.domain, entry.lists]));
  return {
    domains: entries.map(({ domain }) => domain),
    lists: lists?.texts ?? {},
    fold: (domain, field, own) => {
      const named = namesOf.get(domain)?.[field];
      const known = named?.map((name) => ({ name, entries: lists?.entriesOf(name) ?? [] }));
      return known && foldLists(own, known);
    },
  };
}

/** The section with the lists, in YAML or JSON. */
const section = /^[\s{]*["']?lists["']?[ \t]*:/m;

/** A list with its entries in canonical form. */
export interface FoldedList {
  readonly name: string;
  readonly entries: readonly string[];
}

/**
 * Replaces entries by the names of the lists that contain them, as a file writes both. A list whose entries are not all
 * there is not named.
 *
 * @param lists in the order in which they are preferred if several contain an entry
 * @returns each list where its first entry was, so a list whose entries are at several places brings them together
 */
export function foldLists(entries: readonly string[], lists: readonly FoldedList[]): readonly string[] {
  const present = new Set(entries);
  const complete = lists.filter((list) => list.entries.every((entry) => present.has(entry)));
  const remaining = new Map(complete.map((list) => [list.name, new Set(list.entries)]));
  const covered = new Set<string>();
  const parts: string[] = [];
  for (const entry of entries) {
    if (covered.has(entry)) continue;
    const [name, inList] = [...remaining].find(([, known]) => known.has(entry)) ?? [];
    if (name === undefined) parts.push(entryText(entry));
    else {
      parts.push(nameText(name));
      remaining.delete(name);
      for (const other of inList ?? []) covered.add(other);
    }
  }
  // An empty list, or one whose entries are in others too. What is added to it later is meant for this setting.
  return [...parts, ...[...remaining.keys()].map(nameText)];
}
