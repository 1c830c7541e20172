import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { ListName } from "../settings/settings.ts";
import type { FileProblem } from "./file-problem.ts";
import { type FoldedList, foldLists } from "./fold-lists.ts";
import { splitItems } from "./list-items.ts";
import { readSiteFile } from "./read-site-file.ts";
import type { SharedLists } from "./shared-lists.ts";

/** The lists of a site file, for the file that replaces it. */
export interface KeptLists {
  /** The lists, each with its entries as the file writes them. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
  /** Whether the file names lists in this setting of the website, or in that of its defaults. */
  readonly areNamed: (domain: string, field: ListName) => boolean;
  /** Returns the entries of a setting of a website, with the names of the lists that the file names there, as a file writes both. */
  readonly fold: (domain: string, field: ListName, entries: readonly string[]) => readonly string[];
}

/** The lists of a file, or why not all of them can be kept. */
export type EarlierLists = { readonly kept: KeptLists } | { readonly problem: FileProblem };

/**
 * Reads the lists of a site file. What else is wrong with the file does not matter, nor do the entries of its lists.
 *
 * @returns undefined if the file has no lists, or is not a site file
 */
export async function readKeptLists(text: string): Promise<EarlierLists | undefined> {
  // Reading 100,000 websites takes seconds.
  if (!text.includes("lists")) return undefined;
  const { entries, problems, shared } = await readSiteFile(text, { isTolerant: true });
  if (shared !== undefined) {
    const [problem] = shared.problems;
    const isFaulty = [...shared.byName.keys()].some((name) => shared.isFaulty(name));
    return isFaulty && problem !== undefined ? { problem } : { kept: keepLists(shared, entries) };
  }
  // What is not YAML is the last problem. A file that is read to its end has no lists then.
  const problem = entries.length === 0 && section.test(text) ? problems.at(-1) : undefined;
  return problem && { problem };
}

/** The section with the lists, in YAML or JSON. */
const section = /^[\s{]*["']?lists["']?[ \t]*:/m;

function keepLists(shared: SharedLists, entries: readonly WebsiteEntry[]): KeptLists {
  const namesOf = new Map(
    entries.flatMap(({ domain, lists }) => (lists === undefined ? [] : [[domain, lists] as const])),
  );
  const listsOf = (domain: string, field: ListName): readonly FoldedList[] =>
    (namesOf.get(domain)?.[field] ?? []).flatMap((name) => {
      const known = shared.entriesOf(name);
      return known === undefined ? [] : [{ name, entries: known }];
    });
  return {
    texts: Object.fromEntries([...shared.byName].map(([name, { items }]) => [name, splitItems(items)])),
    areNamed: (domain, field) => namesOf.get(domain)?.[field] !== undefined,
    fold: (domain, field, own) => foldLists(own, listsOf(domain, field)),
  };
}
