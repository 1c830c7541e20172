import type { Columns } from "./column.ts";

/** A table and its columns. All else that the program knows of its columns follows from this description. */
export interface Table<Name extends string = string, C extends Columns = Columns> {
  readonly name: Name;
  /** In the order in which queries select them and records show them. */
  readonly columns: C;
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

/** What one row of a table contains, as every engine stores it. */
export type Row<T> =
  T extends Table<string, infer C>
    ? { -readonly [Name in keyof C]: C[Name] extends { readonly type?: infer Stored } ? Stored : never }
    : never;

export function defineTable<Name extends string, C extends Columns>(
  table: Table<Name, C> & { readonly key: readonly (keyof C)[] },
): Table<Name, C> {
  return table;
}

/**
 * The names of all columns. Queries name every column that they select, never `*`: a statement that a server has prepared
 * must return the same after a migration has added a column.
 */
export function columnNames<C extends Columns>({ columns }: Table<string, C>): (keyof C & string)[] {
  return Object.keys(columns);
}

/** Whether any column differs between two states of a row. */
export function isDifferent<State extends object>(before: State, after: State): boolean {
  // Both states have the same columns.
  const names = Object.keys(before) as (keyof State)[];
  return names.some((name) => before[name] !== after[name]);
}
