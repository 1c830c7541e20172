import type { Place } from "../entries/website-entry.ts";
import { parseJson } from "./parse-json.ts";
import { readItem } from "./read-json.ts";
import type { Rows } from "./row.ts";

/** Reads one JSON value per line. Blank lines are ignored. */
export function readNdjson(text: string): Rows {
  return text.split(/\r\n?|\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const place: Place = { unit: "line", number: index + 1 };
    const parsed = parseJson(line);
    return [parsed.ok ? readItem(place, parsed.value) : { place, problem: "is not valid JSON" }];
  });
}
