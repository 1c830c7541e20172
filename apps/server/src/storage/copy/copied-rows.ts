import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { QueryBuilder, ReadConnection, WriteConnection } from "../database/database.ts";
import type { CopiedRow, CopiedTable } from "./copied-tables.ts";

/**
 * How many rows are read at once. With up to 32 columns, an insert of all of them stays below the parameter limits of the
 * engines.
 */
export const chunkRows = 1_000;

/** Reads the next rows in order of the key, starting after `last` or at the first row. */
export function readRows(
  connection: ReadConnection,
  { name, columns, key }: CopiedTable,
  last?: CopiedRow,
): Promise<readonly CopiedRow[]> {
  const isNext =
    last === undefined ? sql`true` : sql`(${list(key)}) > (${sql.join(key.map((column) => last[column]))})`;
  return connection.read(sql<CopiedRow>`
    select ${list(columns)} from ${sql.table(name)} where ${isNext} order by ${list(key)} limit ${sql.lit(chunkRows)}`);
}

/** Reads a table to its last row in chunks, starting after `before` or at the first row. */
export async function* readChunks(
  connection: ReadConnection,
  table: CopiedTable,
  before?: CopiedRow,
): AsyncGenerator<readonly CopiedRow[]> {
  let last = before;
  do {
    const rows = await readRows(connection, table, last);
    if (rows.length > 0) yield rows;
    last = rows.length === chunkRows ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

export async function countRows(connection: ReadConnection, { name }: CopiedTable): Promise<number> {
  const [counted] = await connection.read(sql<{ total: number }>`select count(*) as total from ${sql.table(name)}`);
  return counted?.total ?? 0;
}

/** Inserts rows, or replaces the rows with the same keys. */
export async function writeRows(
  transaction: WriteConnection,
  table: CopiedTable,
  rows: readonly CopiedRow[],
): Promise<void> {
  const statement =
    rows.length === chunkRows
      ? fullInsert(transaction.build, table)
      : compileInsert(transaction.build, table, rows.length);
  const parameters = rows.flatMap((row) => table.columns.map((column) => row[column]));
  await transaction.write({ compile: () => ({ ...statement, parameters }) });
}

/** Compiled for each database once: to compile 14,000 values takes half as long as SQLite takes to insert them. */
const fullInserts = new WeakMap<QueryBuilder, Map<string, CompiledQuery>>();

function fullInsert(build: QueryBuilder, table: CopiedTable): CompiledQuery {
  const known = fullInserts.get(build) ?? new Map<string, CompiledQuery>();
  const statement = known.get(table.name) ?? compileInsert(build, table, chunkRows);
  fullInserts.set(build, known.set(table.name, statement));
  return statement;
}

/** Its parameters are the values of the first row in order of the columns, then those of the next row, and so on. */
function compileInsert(build: QueryBuilder, { name, columns, key }: CopiedTable, count: number): CompiledQuery {
  const values = Array.from({ length: count }, () => sql`(${sql.join(columns.map(() => null))})`);
  const changes = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  return sql`insert into ${sql.table(name)} (${list(columns)}) values ${sql.join(values)}
    on conflict (${list(key)}) do update set ${sql.join(changes)}`.compile(build);
}

export async function deleteRow(
  transaction: WriteConnection,
  { name, key }: CopiedTable,
  row: CopiedRow,
): Promise<void> {
  const isRow = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
  await transaction.write(sql`delete from ${sql.table(name)} where ${sql.join(isRow, sql` and `)}`);
}

/**
 * Returns all values of a row as one line, which is the same on every engine: a JSON array, with byte strings in
 * hexadecimal.
 */
export function toLine({ columns }: CopiedTable, row: CopiedRow): string {
  const values = columns.map((column) => {
    const value = row[column];
    return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  });
  return `${JSON.stringify(values)}\n`;
}

/** Compares two rows by their keys, in the order in which rows are read. */
export function compareKeys({ key }: Pick<CopiedTable, "key">, left: CopiedRow, right: CopiedRow): number {
  for (const column of key) {
    const difference = compareValues(left[column], right[column]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Every engine compares strings by their bytes. */
function compareValues(left: CopiedRow[string] | undefined, right: CopiedRow[string] | undefined): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return Buffer.compare(toBytes(left), toBytes(right));
}

function toBytes(value: CopiedRow[string] | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(String(value));
}

function list(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}
