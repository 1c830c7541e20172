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

/** Returns the record with the requested fields, in their order and nesting. */
export function pickFields(record: object, fields: readonly string[] | undefined): object {
  if (fields === undefined) return record;
  const groups = Map.groupBy(fields, (field) => field.split(".", 1).join());
  const picked = [...groups].map(([name, group]) => {
    const value = ownValue(record, name);
    const inner = group.flatMap((field) => (field === name ? [] : [field.slice(name.length + 1)]));
    return [name, isRecord(value) && inner.length > 0 ? pickFields(value, inner) : value];
  });
  return Object.fromEntries(picked);
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
  return isRecord(value) ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
