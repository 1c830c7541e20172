import { isRecord, type YamlValue } from "./yaml-value.ts";

/** A mapping of a site file, such as that of a website. */
export interface Mapping {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly line: number;
  /** Returns the line of a field; that of the mapping if it does not contain the field itself. */
  readonly lineOf: (field: string) => number;
}

/** Returns the mapping; undefined if the fields are none. */
export function mappingOf({ line, fields: written }: YamlValue, fields: unknown): Mapping | undefined {
  if (!isRecord(fields)) return undefined;
  return { fields, line, lineOf: (field) => written?.get(field)?.line ?? line };
}
