import type { Website } from "@siteward/sdk";
import type { ListEdit, ListEdits } from "./list-edit-flags.ts";
import type { ListName } from "./settings.ts";

/** What edits do to the lists of a website. */
export interface ListChanges {
  /** The new lists. A list that stays the same is missing. */
  readonly lists: Partial<Record<ListName, string[]>>;
  /** Entries to add that a list already contained. */
  readonly present: readonly ListEntry[];
  /** Entries to remove that a list did not contain. */
  readonly missing: readonly ListEntry[];
}

/** An entry of a list. */
interface ListEntry {
  readonly field: ListName;
  readonly entry: string;
}

/**
 * Edits the lists of a website. The entries that stay keep their order, and new ones follow them. All entries are in
 * canonical form.
 */
export function editLists(website: Pick<Website, ListName>, edits: ListEdits): ListChanges {
  const lists: ListChanges["lists"] = {};
  const present: ListEntry[] = [];
  const missing: ListEntry[] = [];
  // The keys of the edits are the fields.
  for (const [field, { add, remove }] of Object.entries(edits) as [ListName, ListEdit][]) {
    const before = new Set(website[field]);
    const added = add.filter((entry) => !before.has(entry));
    const removed = new Set(remove.filter((entry) => before.has(entry)));
    if (added.length + removed.size > 0)
      lists[field] = [...website[field].filter((entry) => !removed.has(entry)), ...added];
    present.push(...add.filter((entry) => before.has(entry)).map((entry) => ({ field, entry })));
    missing.push(...remove.filter((entry) => !before.has(entry)).map((entry) => ({ field, entry })));
  }
  return { lists, present, missing };
}
