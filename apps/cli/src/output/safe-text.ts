import { stripVTControlCharacters } from "node:util";

const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Makes a string from the service safe to print on one line of a terminal. Removes escape sequences, control characters
 * and marks that change the writing direction, any of which could make the screen show something false.
 */
export function safeText(text: string): string {
  return stripVTControlCharacters(text).replace(lineBreaks, " ").replace(invisible, "");
}

/** Makes each line of a message safe to print. The line breaks are those of the message, not of what it quotes. */
export function safeLines(text: string): string {
  return text.split("\n").map(safeText).join("\n");
}
