import type { Place } from "../entries/website-entry.ts";
import { CliError } from "../errors/cli-error.ts";
import { findError } from "./find-error.ts";
import { isJsonArray, isObject, parseJson, parseJsonArray } from "./parse-json.ts";
import type { AcceptRow, Row, UnreadableRow } from "./row.ts";

/**
 * Reads JSON: an array of websites or of domains, an answer of the service, which has the array in `data`, or one website.
 *
 * @throws CliError `input_refused`
 */
export function readJson(text: string, accept: AcceptRow): void {
  let number = 0;
  const acceptItem = (item: unknown): void => {
    number += 1;
    accept(readItem({ unit: "item", number }, item));
  };
  if (isJsonArray(text)) {
    const array = parseJsonArray(text, acceptItem);
    if (!array.ok) throw new CliError("input_refused", `The file ${array.reason}.`);
    return;
  }
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
  items.forEach(acceptItem);
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
