import { CliError } from "../process/cli-error.ts";
import type { View } from "./view.ts";

/**
 * Parses the value of `--fields`: comma-separated names. The name of a group, such as `api_key`, selects its fields.
 *
 * @throws CliError `usage` with a list of the fields, if a field is unknown or none is given
 */
export function parseFields(text: string, view: View): readonly string[] {
  const names = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  if (names.length === 0)
    throw new CliError("usage", `--fields contains no field name. Known fields: ${listFields(view)}.`);
  return [...new Set(names.flatMap((name) => expandField(name, view)))];
}

/** Returns the value of a field, which may be nested; undefined if the record does not have the field. */
export function fieldValue(record: object, field: string): unknown {
  return field.split(".").reduce<unknown>(ownValue, record);
}

/** Returns the record with only the requested fields, in the requested order and with the original nesting. */
export function pickFields(record: object, fields: readonly string[] | undefined): object {
  if (fields === undefined) return record;
  return nest(fields.map((field) => [field.split("."), fieldValue(record, field)]));
}

function expandField(name: string, view: View): readonly string[] {
  const known = Object.keys(view).filter((field) => field === name || field.startsWith(`${name}.`));
  if (known.length === 0) throw new CliError("usage", `Unknown field "${name}". Known fields: ${listFields(view)}.`);
  return known;
}

function listFields(view: View): string {
  return Object.keys(view).join(", ");
}

function ownValue(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}

type Leaf = readonly [path: readonly string[], value: unknown];

function nest(leaves: readonly Leaf[]): object {
  const groups = Map.groupBy(leaves, ([[head = ""]]) => head);
  return Object.fromEntries([...groups].map(([key, group]) => [key, nestedValue(group)]));
}

function nestedValue(group: readonly Leaf[]): unknown {
  const [first] = group;
  if (first !== undefined && first[0].length === 1) return first[1];
  return nest(group.map(([path, value]) => [path.slice(1), value]));
}
