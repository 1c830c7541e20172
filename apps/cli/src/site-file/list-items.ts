import { countSeparators, splitEntries } from "../settings/parse-flag-value.ts";

/** A list of the file that websites share by its name. */
export interface NamedList {
  /** The line of its name. */
  readonly line: number;
  /** Its items as the file writes them: entries, and names of lists. An item can contain several, separated by commas. */
  readonly items: readonly string[];
}

/** What marks the name of a list, as in "@office". An entry that begins with it is written with two. */
const mark = "@";

/** Whether a list, as a file states it, can name lists. Most do not, and are read as they are. */
export function canNameLists(value: unknown): boolean {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.some((item) => typeof item === "string" && item.includes(mark));
}

/** Returns the items of a list; undefined if the value is neither an array of strings nor a string. */
export function readItems(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return [value];
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

/** Counts the parts of items before they are split: an item of 8 MB can have 4 million. */
export function countParts(items: readonly string[]): number {
  return items.reduce((count, item) => count + countSeparators(item), items.length);
}

/** Returns the entries and the names of lists in items, as they are written. */
export function splitItems(items: readonly string[]): readonly string[] {
  return items.flatMap(splitEntries);
}

/** Returns the name of the list that a part is; undefined if it is an entry. */
export function nameOf(part: string): string | undefined {
  return part.startsWith(mark) && !part.startsWith(mark + mark) ? part.slice(mark.length) : undefined;
}

/** Returns the entry that a part is. */
export function entryOf(part: string): string {
  return part.startsWith(mark) ? part.slice(mark.length) : part;
}

/** Returns an entry as a file writes it. */
export function entryText(entry: string): string {
  return entry.startsWith(mark) ? mark + entry : entry;
}

/** Returns the name of a list as a file writes it. */
export function nameText(name: string): string {
  return mark + name;
}

/** Returns only the entries of the items, each item at its position, for a message that counts them. */
export function entriesOnly(items: readonly string[]): readonly string[] {
  return items.map((item) => {
    if (!item.includes(mark)) return item;
    const entries = splitEntries(item).filter((part) => nameOf(part) === undefined);
    return entries.map(entryOf).join(",");
  });
}
