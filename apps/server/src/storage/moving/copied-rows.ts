import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { ReadConnection, WriteConnection } from "../database/database.ts";
import type { CopiedRow, CopiedTable } from "./copied-tables.ts";

/**
 * How many rows are read at once. With up to 32 columns, an insert of all of them stays below the parameter limits of
 * the engines.
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

export async function countRows(connection: ReadConnection, { name }: CopiedTable): Promise<number> {
  const [counted] = await connection.read(sql<{ total: number }>`select count(*) as total from ${sql.table(name)}`);
  return counted?.total ?? 0;
}

/** Returns a function that inserts up to a chunk of rows. */
export function prepareInsert(
  transaction: WriteConnection,
  table: CopiedTable,
): (rows: readonly CopiedRow[]) => Promise<void> {
  // Compiled once: to compile 14,000 values takes half as long as SQLite takes to insert them.
  const full = compileInsert(transaction, table, chunkRows);
  return async (rows) => {
    const statement = rows.length === chunkRows ? full : compileInsert(transaction, table, rows.length);
    const parameters = rows.flatMap((row) => table.columns.map((column) => row[column]));
    await transaction.write({ compile: () => ({ ...statement, parameters }) });
  };
}

/** Its parameters are the values of the first row in order of the columns, then those of the next row, and so on. */
function compileInsert({ build }: WriteConnection, { name, columns }: CopiedTable, count: number): CompiledQuery {
  const values = Array.from({ length: count }, () => sql`(${sql.join(columns.map(() => null))})`);
  return sql`insert into ${sql.table(name)} (${list(columns)}) values ${sql.join(values)}`.compile(build);
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

function list(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}
