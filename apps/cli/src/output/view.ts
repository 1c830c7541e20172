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

/** What to show of a record and in how much room. */
export interface Layout {
  readonly view: View;
  /** The fields asked for, as names of the view; undefined means all that the format shows by itself. */
  readonly fields: readonly string[] | undefined;
  /** Columns of the terminal; undefined means there is none to fit. */
  readonly widthColumns: number | undefined;
  readonly color: boolean;
}
