import { parseJson } from "./parse-json.ts";
import { readItem } from "./read-json.ts";
import { readLines } from "./read-lines.ts";
import type { AcceptRow } from "./row.ts";

/**
 * Reads one JSON value per line. Blank lines are ignored.
 *
 * @throws CliError `input_refused` if there are more websites than a file may contain
 */
export function readNdjson(text: string, accept: AcceptRow): void {
  readLines(text, accept, (place, line) => {
    if (line.trim() === "") return undefined;
    const parsed = parseJson(line, { isLine: true });
    return parsed.ok ? readItem(place, parsed.value) : { place, problem: "is not valid JSON" };
  });
}
