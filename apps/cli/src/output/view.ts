/** How one field of a record is shown to people. Machines get the value as the service sent it. */
export interface Column {
  readonly title: string;
  /** Whether a table of many records has this column when no fields are asked for. */
  readonly inList: boolean;
  /** The text for a table; left out, the value itself is shown. */
  readonly show?: (value: unknown) => string;
}

/** Every field of a kind of record, in the order of display; a field inside another is named with a dot. */
export type View = Readonly<Record<string, Column>>;

/** A value as plain text: lists with their entries between commas, nothing for null. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellText).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
