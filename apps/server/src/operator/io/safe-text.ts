import { stripVTControlCharacters } from "node:util";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Makes a stored string safe to print on one line of a terminal. Removes escape sequences, control characters and marks that
 * change the writing direction, any of which could make the screen show something false.
 */
export function safeText(text: string): string {
  return stripVTControlCharacters(text).replace(invisible, "");
}

/** Formats JSON and escapes the characters that JSON allows and some terminals obey. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    invisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
