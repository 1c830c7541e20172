import { CliError } from "../errors/cli-error.ts";
import type { View } from "./view.ts";

/**
 * Reads the value of `--fields`: names between commas. A name of a group, such as `api_key`, stands for all its fields.
 *
 * @throws CliError `usage` that lists the fields, where one is unknown or none is given
 */
export function parseFields(text: string, view: View): readonly string[] {
  const names = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  if (names.length === 0)
    throw new CliError("usage", `--fields contains no field name. Known fields: ${listFields(view)}`);
  return [...new Set(names.flatMap((name) => expandField(name, view)))];
}

/** The value of a field, looked up through its dots; undefined where the record lacks it. */
export function fieldValue(record: object, field: string): unknown {
  return field.split(".").reduce<unknown>(ownValue, record);
}

/** The record with the fields asked for only, nested as before and in the order asked for. */
export function pickFields(record: object, fields: readonly string[] | undefined): object {
  if (fields === undefined) return record;
  return nest(fields.map((field) => [field.split("."), fieldValue(record, field)]));
}

function expandField(name: string, view: View): readonly string[] {
  const known = Object.keys(view).filter((field) => field === name || field.startsWith(`${name}.`));
  if (known.length === 0) throw new CliError("usage", `unknown field "${name}". Known fields: ${listFields(view)}`);
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
