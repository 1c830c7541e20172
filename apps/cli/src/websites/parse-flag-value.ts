import { InvalidArgumentError } from "commander";
import { findLevel, joinChoices, type Levels } from "./levels.ts";

/** Returns a parser of a level, given by its name or number. */
export function levelParser(levels: Levels): (text: string) => number {
  return (text) => {
    const level = findLevel(levels, text.toLowerCase());
    if (level !== undefined) return level;
    const choices = Object.entries(levels).map(([number, name]) => `${name} (${number})`);
    throw new InvalidArgumentError(`Use ${joinChoices(choices)}.`);
  };
}

/** How to pass several entries to a flag that {@link collectEntries} parses. */
export const howToList = "comma-separated, or repeat the flag";

/** Parses a list and appends it to the entries of earlier uses of the same flag. An empty string appends nothing. */
export function collectEntries(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...splitEntries(text)];
}

const separators = "\r\n,";
const separator = new RegExp(`[${separators}]`);

/** Splits a list that is comma-separated or has one entry per line, and ignores whitespace around entries. */
export function splitEntries(text: string): string[] {
  return text.split(separator).flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]));
}

/** Counts where {@link splitEntries} splits a list, without splitting it. */
export function countSeparators(text: string): number {
  let count = 0;
  for (const character of separators) {
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  }
  return count;
}
