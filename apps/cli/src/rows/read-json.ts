import type { Place } from "../entries/website-entry.ts";
import { CliError } from "../errors/cli-error.ts";
import { findError } from "./find-error.ts";
import { isObject, parseJson } from "./parse-json.ts";
import type { AcceptRow, Row, UnreadableRow } from "./row.ts";

/**
 * Reads JSON: an array of websites or of domains, an answer of the service, which has the array in `data`, or one website.
 *
 * @throws CliError `input_refused`
 */
export function readJson(text: string, accept: AcceptRow): void {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new CliError("input_refused", `The file ${parsed.reason}.`);
  const items = itemsOf(parsed.value);
  if (!Array.isArray(items)) {
    const error = findError(parsed.value);
    if (error !== undefined) throw new CliError("input_refused", `The file is an error, not websites: ${error}.`);
    throw new CliError(
      "input_refused",
      'The file is JSON without an array of websites. Send [{"domain": "example.com"}].',
    );
  }
  for (const [index, item] of items.entries()) accept(readItem({ unit: "item", number: index + 1 }, item));
}

function itemsOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  return "domain" in value ? [value] : value["data"];
}

/** Reads a website, or a domain alone. */
export function readItem(place: Place, item: unknown): Row | UnreadableRow {
  if (typeof item === "string") return { place, fields: { domain: item } };
  return isObject(item)
    ? { place, fields: item }
    : { place, problem: 'is not an object such as {"domain": "example.com"}' };
}
