import { type AliasedExpression, sql } from "kysely";
import type { Columns, PresenceColumn, ShownColumn } from "./column.ts";
import { compileReader, type ReadField } from "./compile-reader.ts";
import type { Selection } from "./selection.ts";
import type { Row, Table } from "./table.ts";

/** The record of a row: the fields that it shows. */
type Shown<C extends Columns> = {
  -readonly [Name in keyof C as ShownName<C, Name>]: C[Name] extends ShownColumn<infer _, infer Value>
    ? Value
    : boolean;
};

type ShownName<C extends Columns, Name extends keyof C> =
  C[Name] extends PresenceColumn<unknown, infer Other>
    ? Other
    : C[Name] extends { readonly codec: unknown }
      ? Name
      : never;

/** The values that callers write: in the form that the record shows, or in the stored form if the record does not show them. */
type Values<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends ShownColumn<infer _, infer Value> ? Value : StoredOf<C[Name]>;
};

type StoredOf<Column> = Column extends { readonly type?: infer Stored } ? Stored : never;

/** The given columns with their stored types. */
type Stored<C extends Columns, Given> = { [Name in keyof Given]: Name extends keyof C ? StoredOf<C[Name]> : never };

/** Converts between rows of a table and records, by the description of the table. */
export interface RecordMapper<C extends Columns> {
  /** The select list for the fields of a record, with the function that reads them. See `select`. */
  readonly selection: Selection<Shown<C>>;
  /** Returns the record of a row. */
  fromRow(row: Row<Table<string, C>>): Shown<C>;
  /** Returns the values of some columns in the stored form. Undefined values are omitted. */
  toStored<Given extends Partial<Values<C>>>(values: Given): Stored<C, Given>;
}

/**
 * Creates the mapper for the records of a table. Only websites have one: the API shows them column by column. Accounts and
 * API keys have another form than their rows, which their stores write by hand.
 */
export function createRecordMapper<C extends Columns>({ name: table, columns }: Table<string, C>): RecordMapper<C> {
  const fields = Object.entries(columns).flatMap(([name, column]) => toField(table, name, column) ?? []);
  // The casts below are safe: every name comes from the description, whose types the compiler cannot follow at runtime.
  return {
    selection: {
      columns: fields.map((field) => field.expression),
      read: compileReader(fields) as Selection<Shown<C>>["read"],
    },
    fromRow(row) {
      const record: Record<string, unknown> = {};
      for (const field of fields) record[field.name] = field.fromRow(row);
      return record as Shown<C>;
    },
    toStored(values) {
      const stored: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(values)) {
        if (value !== undefined) stored[name] = store(columns[name], value);
      }
      return stored as Stored<C, typeof values>;
    },
  };
}

interface Field extends ReadField {
  readonly expression: AliasedExpression<unknown, string>;
  fromRow(row: Readonly<Record<string, unknown>>): unknown;
}

function toField(table: string, name: string, column: Columns[string]): Field | undefined {
  const reference = sql.ref(`${table}.${name}`);
  if (isPresence(column)) {
    const { presence } = column;
    // The value may be a secret, so the query does not return it.
    const expression = sql`${reference} is not null`.as(presence);
    return { name: presence, expression, show: Boolean, fromRow: (row) => row[name] !== null };
  }
  if (!isShown(column)) return undefined;
  const show = column.codec?.show;
  const fromRow = (row: Readonly<Record<string, unknown>>) => (show === undefined ? row[name] : show(row[name]));
  return { name, expression: reference.as(name), show, fromRow };
}

function store(column: Columns[string] | undefined, value: unknown): unknown {
  return column !== undefined && isShown(column) && column.codec !== undefined ? column.codec.store(value) : value;
}

function isPresence(column: Columns[string]): column is PresenceColumn<unknown, string> {
  return "presence" in column;
}

function isShown(column: Columns[string]): column is ShownColumn<unknown, unknown> {
  return "codec" in column;
}
