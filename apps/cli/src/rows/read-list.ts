import { readLines } from "./read-lines.ts";
import type { AcceptRow } from "./row.ts";

/**
 * Reads a plain list: one domain per line. `#` starts a comment, at the start of a line or after whitespace.
 *
 * @throws CliError `input_refused` if there are more websites than a file may contain
 */
export function readList(text: string, accept: AcceptRow): void {
  readLines(text, accept, (place, line) => {
    const domain = line.replace(/(^|\s)#.*$/, "").trim();
    return domain === "" ? undefined : { place, fields: { domain } };
  });
}
