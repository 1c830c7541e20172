import { entryText, nameText } from "./list-items.ts";

/** A list with its entries in canonical form. */
export interface FoldedList {
  readonly name: string;
  readonly entries: readonly string[];
}

/**
 * Replaces entries by the names of the lists that contain them, as a file writes both. A list whose entries are not all there is not
 * named.
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
