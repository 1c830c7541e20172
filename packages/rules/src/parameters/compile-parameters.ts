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

/**
 * Checks whether an entry contains the name of a parameter: the part of a string from `start` to `end`. It allocates nothing.
 *
 * All entries between two others share the beginning that both share with the name. So no comparison begins before it, and entries
 * that begin alike, as those of one program do, take no longer than others.
 */
export function isExcluded(table: ParameterTable, text: string, start: number, end: number): boolean {
  const length = end - start;
  let low = 0;
  let high = table.length;
  let sharedWithLow = 0;
  let sharedWithHigh = 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = table[middle]?.text ?? "";
    const shared = findShared(entry, text, start, end, Math.min(sharedWithLow, sharedWithHigh));
    if (shared === entry.length || (shared < length && entry.charCodeAt(shared) < text.charCodeAt(start + shared))) {
      low = middle + 1;
      sharedWithLow = shared;
    } else {
      high = middle;
      sharedWithHigh = shared;
    }
  }
  // The last entry that is not after the name.
  const entry = table[low - 1];
  if (entry === undefined || sharedWithLow !== entry.text.length) return false;
  return entry.isPrefix || entry.text.length === length;
}

/** Returns how many code units an entry and a name share at their beginning, of which `known` are known. */
function findShared(entry: string, text: string, start: number, end: number, known: number): number {
  const most = Math.min(entry.length, end - start);
  let shared = known;
  while (shared < most && entry.charCodeAt(shared) === text.charCodeAt(start + shared)) shared += 1;
  return shared;
}
