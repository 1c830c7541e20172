import { type Schema, tables } from "../tables/schema.ts";
import { columnNames, type Table } from "../tables/table.ts";
import type { Database, WriteConnection } from "./database.ts";
import { accountOf, joinSql, listNames, nameEach, prepared, type Sql, sql } from "./statement.ts";

/**
 * A statement of a change. Beside `:name`, `{step.column}` is a value of the row that an earlier step returned,
 * `{row}` and `{from step}` stand around the values of a new row if that step returned one, and `{after step}` is the
 * condition that it did.
 *
 * - `lock` only locks rows, which engines with one writer at a time do not need.
 * - If another step finds nothing to change, nothing of the change may be kept. On PostgreSQL, only the first may.
 * - `last` changes rows that nothing in the change reads, so an engine may run it with those of other changes.
 */
export interface Step {
  readonly name: string;
  readonly sql: Sql;
  readonly kind?: "lock" | "last";
}

interface Change<Values, Row> {
  readonly steps: readonly Step[];
  readonly result: string;
  /** Keeps an index up to date that is not one of the engine's own. An engine that runs one statement has none. */
  readonly also?: (transaction: WriteConnection, values: Values, row: Row) => Promise<void>;
}

/** Runs a change. Returns undefined if the first step found nothing to change. */
export type Run<Values, Row> = (values: Values) => Promise<Row | undefined>;

/**
 * Prepares a change once: on PostgreSQL as one statement, which is one round trip, and in turn on SQLite, and on Citus,
 * where a statement that inserts in its `with` clause runs on every node.
 */
export function prepareChange<Values extends object, Row extends object>(
  database: Database,
  { steps, result, also }: Change<Values, Row>,
): Run<Values, Row> {
  const { hasManyWriters, isDistributed } = database;
  if (hasManyWriters && !isDistributed) {
    const parts = steps.map(({ name, sql: text }) => sql`${listNames([name])} as (${asPart(text)})`);
    const all = prepared<Row>(sql`with ${joinSql(parts, sql`, `)} select * from ${listNames([result])}`);
    return async (values) => (await database.writeOne(all, values))[0];
  }
  const inTurn = steps.filter(({ kind }) => kind !== "lock" || hasManyWriters);
  const statements = inTurn.map(({ name, kind, sql }) => ({ name, kind, statement: prepared(asWhole(sql)) }));
  const run = async (transaction: WriteConnection, values: Values): Promise<Row> => {
    const bound: Record<string, unknown> = { ...(values as object) };
    for (const { name, kind, statement } of statements) {
      if (kind === "last") {
        await transaction.writeAtCommit(statement, bound);
        continue;
      }
      const [row] = await transaction.write(statement, bound);
      if (row === undefined) throw new NothingToChange();
      bound[name] = row;
      for (const [column, value] of Object.entries(row)) bound[`${name}.${column}`] = value;
    }
    // The cast is safe: the result is one of the steps.
    const row = bound[result] as Row;
    await also?.(transaction, values, row);
    return row;
  };
  return async (values) => {
    try {
      return await database.write((transaction) => run(transaction, values), accountOf(values));
    } catch (error) {
      if (error instanceof NothingToChange) return undefined;
      throw error;
    }
  };
}

/** Rolls back what the steps before have changed. */
class NothingToChange extends Error {}

const places = /\{(?:(row|from|after)\b ?)?(\w+(?:\.\w+)?)?\}/g;

/** As a part of one statement, a step reads the rows of the others. */
function asPart(text: Sql): Sql {
  return fill(text, (word, step) => {
    if (word === "row") return "select";
    if (word === "from") return `from ${step}`;
    return word === "after" ? `exists (select 1 from ${step})` : step;
  });
}

/**
 * A statement of its own gets the values of the rows before, and runs only if there were some. Citus would read a
 * `select` of values on the node that we are connected to, and commit in two phases.
 */
function asWhole(text: Sql): Sql {
  const words: Readonly<Record<string, string>> = { row: "values (", from: ")", after: "true" };
  return fill(text, (word, step) => words[word] ?? `:${step}`);
}

function fill(text: Sql, toText: (word: string, step: string) => string): Sql {
  // The cast is safe: the text names each step.
  return text.replace(places, (_, word = "", step = "") => toText(word, step)) as Sql;
}

/**
 * Returns the text that inserts a row: columns as given, and for all others the values of the same name.
 *
 * @param from where the row comes from, such as `{from step}`
 */
export function insertInto<Name extends keyof Schema & string>(
  table: Name,
  given: Partial<Record<keyof Schema[Name], Sql>> = {},
  from?: Sql,
): Sql {
  const described: Table = tables[table];
  const names = columnNames(described);
  const texts: Readonly<Record<string, Sql | undefined>> = given;
  const values = listNames(names, (name) => texts[name] ?? sql`:${name}`);
  const rows = from === undefined ? sql`values (${values})` : sql`{row} ${values} ${from}`;
  return sql`insert into ${listNames([table])} (${listNames(names)}) ${rows}`;
}

/** A row in the stored form, which is the same on every engine. */
export type StoredRow = Readonly<Record<string, string | number | Uint8Array | null>>;

/** Inserts rows in one statement. @param ending such as `returning id` */
export function insertRows<Row>({ write }: WriteConnection, table: Table, rows: readonly StoredRow[], ending = sql``) {
  const columns = columnNames(table);
  const named = rows.map((row, index) => {
    const values = columns.map((column) => row[column]);
    return nameEach(`value${index}_`, values);
  });
  const places = named.map(({ names }) => sql`(${names})`);
  const values = Object.assign({}, ...named.map((row) => row.values));
  const into = sql`insert into ${listNames([table.name])} (${listNames(columns)})`;
  return write<Row>(sql`${into} values ${joinSql(places, sql`, `)} ${ending}`, values);
}
