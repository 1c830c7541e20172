/** A column of a table. `Stored` is the type of its values, which is the same on every engine. */
export interface StoredColumn<Stored> {
  /** Carries the type. It has no value at runtime. */
  readonly type?: Stored;
}

/** A column that is also a field of the record, under the same name. */
export interface ShownColumn<Stored, Shown = Stored> extends StoredColumn<Stored> {
  /** Converts between the stored and the shown value. Undefined if they are the same. */
  readonly codec: Codec<Stored, Shown> | undefined;
}

/** A column of which the record shows only whether it is null, under another name. */
export interface PresenceColumn<Stored, Name extends string> extends StoredColumn<Stored> {
  readonly presence: Name;
}

interface Codec<Stored, Shown> {
  show(stored: Stored): Shown;
  store(shown: Shown): Stored;
}

/** The columns of a table by name. Each is a `StoredColumn`, a `ShownColumn` or a `PresenceColumn`. */
export type Columns = Readonly<Record<string, StoredColumn<unknown>>>;

/** Defines a column that is not a field of the record. */
export function stored<Stored>(): StoredColumn<Stored> {
  return {};
}

/** Defines a column whose values the record shows as they are stored. */
export function shown<Stored>(): ShownColumn<Stored> {
  return { codec: undefined };
}

/** Defines a column for a string that may be a secret. The record shows only whether there is one, under the given name. */
export function presence<Name extends string>(name: Name): PresenceColumn<string | null, Name> {
  return { presence: name };
}

/** Strings, stored as a JSON array. */
export const strings: ShownColumn<string, string[]> = {
  codec: {
    // Most lists are empty, and `JSON.parse` takes longer than the rest of the record. The cast is safe: only `store` writes
    // the column.
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

/**
 * Caches the last result: most records were never updated, so both of their times are equal, and `toISOString` takes 0.2 µs.
 */
function showTime(ms: number): string {
  if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() };
  return lastTime.text;
}
