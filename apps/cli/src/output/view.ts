/** How one field of a record is shown to people. Programs get the value as the service sent it. */
export interface Column {
  readonly title: string;
  /** Whether a list has this column if no fields are requested. */
  readonly inList: boolean;
  /** Returns the text for a table; if omitted, {@link cellText} does. */
  readonly show?: (value: unknown) => string;
  /** A domain is shown in Unicode. */
  readonly kind?: "domain";
}

/** Every field of a kind of record, in display order. The name of a nested field contains dots. */
export type View = Readonly<Record<string, Column>>;

/** Returns a value as plain text: a list comma-separated, null as an empty string. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellText).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** One output format: turns records into text. Pure, so that every format is tested without a stream. */
export interface Renderer {
  /** Formats a list. Each piece is printed as it arrives, so that a format can stream. */
  readonly list: (records: AsyncIterable<object> | Iterable<object>, layout: Layout) => AsyncIterable<string>;
  /** Formats one record, if it does not look like a list of one. */
  readonly one?: (record: object, layout: Layout) => string;
}

/** Which fields to show, and in how much space. */
export interface Layout {
  readonly view: View;
  /** The requested fields, by their names in the view; undefined means the default of the format. */
  readonly fields: readonly string[] | undefined;
  /** Columns of the terminal; undefined if the output is not a terminal. */
  readonly widthColumns: number | undefined;
  readonly color: boolean;
  /** Whether domains are shown in ASCII. */
  readonly ascii: boolean;
}
