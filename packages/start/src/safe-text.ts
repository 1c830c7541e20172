import { stripVTControlCharacters } from "node:util";

const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Control characters, marks that change the writing direction, and what is not seen: each could make a screen show something false. */
const unsafe = /[\p{Cc}\p{Bidi_Control}\u200b-\u200d\u2028\u2029\u2060-\u2069\ufeff]/gu;

/** Makes a string safe to print on one line of a terminal. Removes escape sequences and unsafe characters. */
export function safeText(text: string): string {
  return stripVTControlCharacters(text).replace(lineBreaks, " ").replace(unsafe, "");
}

/** Makes each line of a message safe to print. The line breaks are those of the message, not of what it quotes. */
export function safeLines(text: string): string {
  return text.split("\n").map(safeText).join("\n");
}

/** Writes unsafe characters as JSON and JavaScript do, such as `\u001b`. So JSON stays the same value. */
export function escapeUnsafe(text: string): string {
  return text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
