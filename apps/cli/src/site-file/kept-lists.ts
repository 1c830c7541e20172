import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { ListName } from "../settings/settings.ts";
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

/**
 * Reads the lists of a site file. What is wrong with the file does not matter: its valid lists are kept.
 *
 * @returns undefined if the file has no lists, or is not a site file
 */
export async function readKeptLists(text: string): Promise<KeptLists | undefined> {
  // Reading 100,000 websites takes seconds.
  if (!text.includes("lists")) return undefined;
  const { entries, shared } = await readSiteFile(text, { isTolerant: true });
  return shared && keepLists(shared, entries);
}

function keepLists(shared: SharedLists, entries: readonly WebsiteEntry[]): KeptLists {
  const namesOf = new Map(
    entries.flatMap(({ domain, lists }) => (lists === undefined ? [] : [[domain, lists] as const])),
  );
  const listsOf = (domain: string, field: ListName): readonly FoldedList[] =>
    (namesOf.get(domain)?.[field] ?? []).flatMap((name) => {
      const known = shared.entriesOf(name);
      return known === undefined ? [] : [{ name, entries: known }];
    });
  const valid = [...shared.byName].filter(([name]) => !shared.isFaulty(name));
  return {
    texts: Object.fromEntries(valid.map(([name, { items }]) => [name, splitItems(items)])),
    areNamed: (domain, field) => namesOf.get(domain)?.[field] !== undefined,
    fold: (domain, field, own) => foldLists(own, listsOf(domain, field)),
  };
}
