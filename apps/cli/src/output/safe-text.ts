import { stripVTControlCharacters } from "node:util";

const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Makes a text of the service fit to be shown on a terminal, on one line: without escape sequences, control characters
 * and marks that turn the writing direction, any of which could make the screen show what is not there.
 */
export function safeText(text: string): string {
  return stripVTControlCharacters(text).replace(lineBreaks, " ").replace(invisible, "");
}
