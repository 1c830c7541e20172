/**
 * Counts the characters (Unicode code points) of a string. Spreading it builds an array, which took up to 5 ms for 64 KiB.
 * An unpaired surrogate counts as one character.
 */
export function countCharacters(text: string): number {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, "x").length;
}

/**
 * Characters that are not seen, or that change the order in which others are seen: the category Format, what Unicode says to
 * draw as nothing (soft hyphens, variation selectors, fillers of Hangul), the empty pattern of Braille, control characters, and every
 * space and line separator but U+0020. Two entries that look the same would differ, and an entry could read as another one.
 *
 * Unassigned and private characters are not among them: they are drawn as a box, and each version of Unicode assigns more.
 */
const invisibleCharacter =
  /[\p{Format}\p{Control}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]/u;
const everyInvisibleCharacter = new RegExp(invisibleCharacter, "gu");

/** Half of a surrogate pair. UTF-8 has none, so another text would be stored. */
export const unpairedSurrogate = {
  pattern: /\p{Surrogate}/u,
  reason: "contains an unpaired surrogate; send valid Unicode",
} as const;

/** An invisible character in a string. */
interface FoundCharacter {
  /** Such as `U+202E`. */
  readonly name: string;
  /** Where it begins in the string. */
  readonly index: number;
}

/** Returns the first invisible character of a string. */
export function findInvisibleCharacter(text: string): FoundCharacter | undefined {
  const found = invisibleCharacter.exec(text);
  return found === null ? undefined : { name: `U+${hexOf(found[0]).padStart(4, "0")}`, index: found.index };
}

/** Writes each invisible character as its number, such as `\u{202E}`, which no terminal obeys. */
export function showInvisibleCharacters(text: string): string {
  return text.replace(everyInvisibleCharacter, (character) => `\\u{${hexOf(character)}}`);
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
}
