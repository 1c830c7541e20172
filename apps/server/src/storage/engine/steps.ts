import { type InsertQueryBuilder, type InsertResult, type RawBuilder, type SqlBool, sql } from "kysely";
import { type Schema, tables } from "../tables/schema.ts";
import { columnNames, type Table } from "../tables/table.ts";
import type { QueryBuilder } from "./database.ts";
import type { Compilable, Placeholder } from "./prepare.ts";

/** What the statement of a step is built with. `Rows` are the rows that the steps before it return, by step. */
export interface StepTools<Values, Rows> {
  readonly build: QueryBuilder;
  /** A value that is passed each time the change runs. */
  readonly value: Placeholder<Values>;
  of<Name extends keyof Rows & string, Column extends keyof Rows[Name] & string>(
    step: Name,
    column: Column,
  ): RawBuilder<Rows[Name][Column]>;
  after(step: keyof Rows & string): RawBuilder<SqlBool>;
  /** Inserts one row if an earlier step returned one. */
  insertAfter<Name extends keyof Schema & string>(
    step: keyof Rows & string,
    table: Name,
    row: InsertedRow<Name>,
  ): InsertQueryBuilder<Schema, Name, InsertResult>;
}

/** The expression of every column of a new row. See `rowOf`. */
type InsertedRow<Name extends keyof Schema> = Readonly<Record<keyof Schema[Name], RawBuilder<unknown>>>;

export interface Step<Values> {
  readonly name: string;
  /**
   * - `lock` only locks rows, which engines with one writer at a time do not need.
   * - `change` changes rows. Only the first of them may find nothing to change, and then nothing of the change is kept. The others
   *   depend on it: as one statement, an engine keeps what the steps before them changed.
   * - `last` changes rows that nothing in the change reads, so an engine may run it with those of other transactions.
   *
   * Only the row of a `change` can be used later: not every engine reads that of a lock, and a last step runs after the others.
   */
  readonly kind: "lock" | "change" | "last";
  readonly build: (tools: StepTools<Values, AnyRows>) => Compilable<unknown>;
}

export type AnyRows = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A change as a list of statements, each of which can use the rows that earlier ones return. See `prepareRun`. */
export class Steps<Values, Rows = Record<never, never>> {
  readonly list: readonly Step<Values>[];

  constructor(list: readonly Step<Values>[] = []) {
    this.list = list;
  }

  step<Name extends string, Row>(
    name: Name,
    build: (tools: StepTools<Values, Rows>) => Compilable<Row>,
    kind: Step<Values>["kind"] = "change",
  ): Steps<Values, Rows & Readonly<Record<Name, Row>>> {
    // The cast is safe: a step refers only to the steps before it, whose rows `Rows` describes.
    return new Steps([...this.list, { name, kind, build: build as Step<Values>["build"] }]);
  }
}

/** Returns the columns of a new row: those that are given, and for all others the values of the same name. */
export function rowOf<Name extends keyof Schema & string, Given extends keyof Schema[Name]>(
  table: Name,
  value: Placeholder<Omit<Schema[Name], Given>>,
  given: Readonly<Record<Given, RawBuilder<unknown>>>,
): InsertedRow<Name> {
  const described: Table = tables[table];
  // The casts are safe: a column that is not given is a value of that name, and every column of the table has its expression.
  const expressions: Readonly<Record<string, RawBuilder<unknown>>> = given;
  return Object.fromEntries(
    columnNames(described).map((name) => [name, expressions[name] ?? sql`${value(name as never)}`]),
  ) as InsertedRow<Name>;
}
