import { countSeparators, splitEntries } from "../../websites/field-reading.ts";

/** What marks the name of a list, as in "@office". An entry that begins with it is written with two. */
export const mark = "@";

/** The names that lists can have. They contain no comma, because commas separate the entries of a setting. */
export const listName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Returns the name of the list that a part of a setting is; undefined if it is an entry. */
export function nameOf(part: string): string | undefined {
  return part.startsWith(mark) && !part.startsWith(mark + mark) ? part.slice(mark.length) : undefined;
}

/** Returns the name of a list as a file writes it. */
export function nameText(name: string): string {
  return mark + name;
}

/** Returns an entry as a file writes it. */
export function entryText(entry: string): string {
  return entry.startsWith(mark) ? mark + entry : entry;
}

/** Returns an entry without the second sign with which a file writes it. */
export function entryOf(part: string): string {
  return part.startsWith(mark) ? part.slice(mark.length) : part;
}

/** Splits the items of a list into entries and names. */
export function splitItems(items: readonly string[]): readonly string[] {
  return items.flatMap(splitEntries);
}

/** Returns the items of a list; undefined if the value is neither an array of strings nor a string. */
export function itemsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return [value];
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

/** Counts the parts of items before they are split: an item of 8 MB can have 4 million. */
export function countParts(items: readonly string[]): number {
  return items.reduce((count, item) => count + countSeparators(item), items.length);
}
