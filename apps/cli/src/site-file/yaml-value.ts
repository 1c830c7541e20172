/** A value of a YAML file, and where it is. */
export interface YamlValue {
  /** A string, an array or an object: every scalar is a string. */
  readonly data: unknown;
  /** The line in which the value starts. Counts from 1. */
  readonly line: number;
  /** The fields that are written in a mapping itself, and not in what it refers to. Undefined for all other values. */
  readonly fields?: ReadonlyMap<string, YamlField>;
  /** Whether it is a list that is written here, and not an alias of one. */
  readonly isWritten?: true;
}

/** Called with an item of the list of websites. */
export type OnItem = (item: YamlValue) => void;

/** A field of a mapping. Its line is that of its name. */
export interface YamlField {
  readonly line: number;
  readonly value: YamlValue;
}

/** Whether this is a mapping. */
export function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}
