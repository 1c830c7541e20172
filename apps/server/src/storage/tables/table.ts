/** A column of a table. `Stored` is the type of its values, which is the same on every engine. */
export interface StoredColumn<Stored> {
  /** Carries the type. It has no value at runtime. */
  readonly type?: Stored;
}

export type Columns = Readonly<Record<string, StoredColumn<unknown>>>;

type StoredOf<Column> = Column extends { readonly type?: infer Stored } ? Stored : never;

/** Defines a column. */
export function stored<Stored>(): StoredColumn<Stored> {
  return {};
}

/** The description of a table. The row type, queries, inserts and copies all follow from its columns. */
export interface Table<Name extends string = string, C extends Columns = Columns> {
  readonly name: Name;
  /** In the order of select lists and of the fields of records. */
  readonly columns: C;
  readonly key: readonly string[];
  /**
   * The column by whose value a distributed database chooses the node of a row. It is the account's ID in every table, so that the
   * rows of an account are on one node. Null if every node has all rows, as of what is read before the account is known.
   */
  readonly distributedBy: string | null;
}

/** One row of a table, in the stored form, which is the same on every engine. */
export type Row<T> = T extends Table<string, infer C> ? { -readonly [Name in keyof C]: StoredOf<C[Name]> } : never;

export function defineTable<Name extends string, C extends Columns>(
  table: Table<Name, C> & { readonly key: readonly (keyof C)[]; readonly distributedBy: keyof C | null },
): Table<Name, C> {
  return table;
}

/**
 * Returns the names of all columns. Queries list their columns and never select `*`: a prepared statement must return
 * the same columns after a migration has added one.
 */
export function columnNames<C extends Columns>({ columns }: Table<string, C>): (keyof C & string)[] {
  return Object.keys(columns);
}
