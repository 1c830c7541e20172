import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { Schema } from "../tables/schema.ts";
import type { CopiedRow, CopiedTable } from "./copied-tables.ts";

/** How many rows are read at once. A statement that inserts so many stays below the limits of parameters up to 32 columns. */
export const chunkRows = 1_000;

/** Reads the next rows in order of the key: after `last`, or from the first one on. */
export async function readRows(
  connection: Kysely<Schema>,
  { name, columns, key }: CopiedTable,
  last?: CopiedRow,
): Promise<readonly CopiedRow[]> {
  const isNext =
    last === undefined ? sql`true` : sql`(${list(key)}) > (${sql.join(key.map((column) => last[column]))})`;
  const { rows } = await sql<CopiedRow>`
    select ${list(columns)} from ${sql.table(name)} where ${isNext} order by ${list(key)} limit ${sql.lit(chunkRows)}`.execute(
    connection,
  );
  return rows;
}

/** Reads a table to its last row, some rows at a time: after `before`, or from the first one on. */
export async function* readChunks(
  connection: Kysely<Schema>,
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

export async function countRows(connection: Kysely<Schema>, { name }: CopiedTable): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(name)}`.execute(connection);
  return rows[0]?.total ?? 0;
}

/** Writes rows as they are, in place of those with the same key. */
export async function writeRows(
  transaction: Transaction<Schema>,
  { name, columns, key }: CopiedTable,
  rows: readonly CopiedRow[],
): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const changes = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  await sql`insert into ${sql.table(name)} (${list(columns)}) values ${sql.join(values)}
    on conflict (${list(key)}) do update set ${sql.join(changes)}`.execute(transaction);
}

export async function deleteRow(
  transaction: Transaction<Schema>,
  { name, key }: CopiedTable,
  row: CopiedRow,
): Promise<void> {
  const isRow = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
  await sql`delete from ${sql.table(name)} where ${sql.join(isRow, sql` and `)}`.execute(transaction);
}

/** Writes all that a row holds in one line, the same on every engine: a JSON array, strings of bytes in hexadecimal. */
export function toLine({ columns }: CopiedTable, row: CopiedRow): string {
  const values = columns.map((column) => {
    const value = row[column];
    return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  });
  return `${JSON.stringify(values)}\n`;
}

/** Tells, as sorting asks, which of two rows comes first where they are read. */
export function compareKeys({ key }: Pick<CopiedTable, "key">, left: CopiedRow, right: CopiedRow): number {
  for (const column of key) {
    const difference = compareValues(left[column], right[column]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Text compares by its bytes on every engine. */
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
