/** The names of the values of a setting. */
export type Levels = Readonly<Record<number, string>>;

/** Returns the value with this name or number; undefined if there is none. */
export function findLevel(levels: Levels, word: string): number | undefined {
  const found = Object.entries(levels).find(([level, name]) => word === name || word === level);
  return found === undefined ? undefined : Number(found[0]);
}

/** Returns the name of a value; undefined if it is none of the levels. */
export function levelName(levels: Levels, value: unknown): string | undefined {
  return Object.entries(levels).find(([level]) => level === String(value))?.[1];
}

/** Joins choices for a sentence: "public, private or password". */
export function joinChoices(choices: readonly string[]): string {
  return choices.join(", ").replace(/, (?=[^,]*$)/, " or ");
}
