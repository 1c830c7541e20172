import { maxWebsites, tooManyWebsites } from "../entries/max-websites.ts";
import type { Place } from "../entries/website-entry.ts";
import type { AcceptRow, Row, UnreadableRow } from "./row.ts";

/** The longest line. A website with the longest lists, in JSON in which each character is escaped, has 90,000 characters. */
const maxLineLength = 100_000;

/**
 * Reads a text with a website on each line, and stops at the first website that is too many.
 *
 * @param readLine returns the row of a line; undefined if it has none
 * @throws CliError `input_refused` if there are more websites than a file may contain
 */
export function readLines(
  text: string,
  accept: AcceptRow,
  readLine: (place: Place, line: string) => Row | UnreadableRow | undefined,
): void {
  let [number, count] = [0, 0];
  for (const line of linesOf(text)) {
    number += 1;
    const place = { unit: "line", number } as const;
    const row = line.length > maxLineLength ? { place, problem: tooLong } : readLine(place, line);
    if (row === undefined) continue;
    count += 1;
    if (count > maxWebsites) throw tooManyWebsites();
    accept(row);
  }
}

const tooLong = `has more than ${maxLineLength.toLocaleString("en-US")} characters; write one website per line`;

/** Returns the lines of a text one at a time, without their line breaks. */
export function* linesOf(text: string): Generator<string> {
  const lineBreak = /\r\n?|\n/g;
  for (let start = 0; ; start = lineBreak.lastIndex) {
    const found = lineBreak.exec(text);
    yield text.slice(start, found?.index);
    if (found === null) return;
  }
}
