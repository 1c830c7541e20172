import { entryGrammars } from "@siteward/contract/website-settings";
import { InvalidSettingError } from "../errors/invalid-setting-error.ts";

/**
 * Entries of `exclude_params`, in the order of their text, without those that a prefix among them contains. So the last entry that is
 * not after a name is the only one that can contain it.
 */
export type ParameterTable = readonly ParameterEntry[];

interface ParameterEntry {
  readonly text: string;
  /** Whether the text is the beginning of the names, or a name. */
  readonly isPrefix: boolean;
}

/** Compiles `exclude_params`. Returns undefined for an empty list. @throws InvalidSettingError */
export function compileParameters(entries: readonly string[]): ParameterTable | undefined {
  if (entries.length === 0) return undefined;
  const sorted = entries.map(readEntry).sort(compareEntries);
  const table: ParameterEntry[] = [];
  for (const entry of sorted) {
    const last = table.at(-1);
    const isContained =
      last !== undefined && (last.isPrefix ? entry.text.startsWith(last.text) : entry.text === last.text);
    if (!isContained) table.push(entry);
  }
  return table;
}

function readEntry(entry: string): ParameterEntry {
  if (typeof entry !== "string")
    throw new InvalidSettingError("exclude_params", "contains a value that is not a string");
  const parsed = entryGrammars.exclude_params.parseEntry(entry);
  if (!parsed.ok) {
    const shown = JSON.stringify(entry.slice(0, 60));
    throw new InvalidSettingError("exclude_params", `contains ${shown}, which ${parsed.reason}`);
  }
  const isPrefix = parsed.value.endsWith("*");
  return { text: isPrefix ? parsed.value.slice(0, -1) : parsed.value, isPrefix };
}

/** A prefix is before the name of the same text, since it contains that. */
function compareEntries(left: ParameterEntry, right: ParameterEntry): number {
  if (left.text !== right.text) return left.text < right.text ? -1 : 1;
  return Number(right.isPrefix) - Number(left.isPrefix);
}

/** Checks whether an entry contains the name of a parameter: the part of a string from `start` to `end`. It allocates nothing. */
export function isExcluded(table: ParameterTable, text: string, start: number, end: number): boolean {
  let low = 0;
  let high = table.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = table[middle];
    if (entry !== undefined && compareName(entry.text, text, start, end) <= 0) low = middle + 1;
    else high = middle;
  }
  const entry = table[low - 1];
  if (entry === undefined) return false;
  const { length } = entry.text;
  return (entry.isPrefix ? length <= end - start : length === end - start) && text.startsWith(entry.text, start);
}

/** Compares an entry with a name by code units, as `<` does. */
function compareName(entry: string, text: string, start: number, end: number): number {
  const length = Math.min(entry.length, end - start);
  for (let index = 0; index < length; index += 1) {
    const difference = entry.charCodeAt(index) - text.charCodeAt(start + index);
    if (difference !== 0) return difference;
  }
  return entry.length - (end - start);
}
