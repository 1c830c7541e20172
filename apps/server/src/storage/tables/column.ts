/** A column. `Stored` is the type of its values, the same on every engine. */
export interface StoredColumn<Stored> {
  /** Exists for the compiler only. */
  readonly type?: Stored;
}

/** A column whose values a record shows under the name of the column. */
export interface ShownColumn<Stored, Shown = Stored> extends StoredColumn<Stored> {
  /** Undefined if a record shows the value as it is stored. */
  readonly codec: Codec<Stored, Shown> | undefined;
}

/** A column of which a record shows only whether it has a value, under another name. */
export interface PresenceColumn<Stored, Name extends string> extends StoredColumn<Stored> {
  readonly presence: Name;
}

interface Codec<Stored, Shown> {
  show(stored: Stored): Shown;
  store(shown: Shown): Stored;
}

/** The columns of a table by name, each of one of the three kinds. */
export type Columns = Readonly<Record<string, StoredColumn<unknown>>>;

/** A column that the program uses and no record shows as it is. */
export function stored<Stored>(): StoredColumn<Stored> {
  return {};
}

/** A column whose values a record shows as they are. */
export function shown<Stored>(): ShownColumn<Stored> {
  return { codec: undefined };
}

/** A string that may be a secret: a record shows whether there is one, under the given name. */
export function presence<Name extends string>(name: Name): PresenceColumn<string | null, Name> {
  return { presence: name };
}

/** Strings, stored as a JSON array. */
export const strings: ShownColumn<string, string[]> = {
  codec: {
    // Most lists are empty, and `JSON.parse` takes longer than the rest of the record. Only `store` writes the column.
    show: (json) => (json === "[]" ? [] : (JSON.parse(json) as string[])),
    store: (entries) => JSON.stringify(entries),
  },
};

/** A time, stored in milliseconds since 1970 and shown in RFC 3339 in UTC. */
export const time: ShownColumn<number, string> = {
  codec: {
    show: showTime,
    store: (text) => Date.parse(text),
  },
};

let lastTime = { ms: 0, text: new Date(0).toISOString() };

/** Remembers the last time: most records were never updated, so theirs are equal, and `toISOString` takes 0.2 µs. */
function showTime(ms: number): string {
  if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() };
  return lastTime.text;
}
