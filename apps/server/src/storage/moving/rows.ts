import { createHash } from "node:crypto";
import type { StoredRow } from "../engine/change.ts";
import type { ReadConnection } from "../engine/database.ts";
import { listNames, sql } from "../engine/statement.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { schemaMigrations, tables } from "../tables/schema.ts";
import { columnNames, type Table } from "../tables/table.ts";

/**
 * The tables that a copy moves, in the order in which rows can be added: all except the table of versions, which each
 * database has for itself.
 */
export const copiedTables = Object.values<Table>(tables).filter((table) => table !== schemaMigrations);

/** Rows that are read at once. With up to 32 columns, an insert of them stays below the limits of the engines. */
const chunkRows = 1_000;

/** Reads the next rows in order of the key, starting after `last` or at the first row. */
export function readRows({ read }: ReadConnection, table: Table, last?: StoredRow): Promise<readonly StoredRow[]> {
  const key = listNames(table.key);
  const isNext =
    last === undefined ? sql`true` : sql`(${key}) > (${listNames(table.key, (column) => sql`:${column}`)})`;
  return read<StoredRow>(
    sql`select ${listNames(columnNames(table))} from ${listNames([table.name])} where ${isNext} order by ${key} limit ${chunkRows}`,
    last,
  );
}

/** The same on every engine: a JSON array, with byte strings in hexadecimal. */
function toLine(columns: readonly string[], row: StoredRow): string {
  const values = columns.map((column) => {
    const value = row[column];
    return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  });
  return `${JSON.stringify(values)}\n`;
}

/** A digest of all rows of a table. It is the same on every engine. */
export interface TableDigest {
  readonly count: number;
  /** The hash of one line per row in order of the key, in hexadecimal. */
  readonly sha256: string;
}

/** The digest of each table, which is equal in both databases. */
export type CopyResult = Readonly<Record<string, TableDigest>>;

/**
 * Reads the table again from both databases and compares all rows.
 *
 * @throws InstallationError `copy_differs`, which names the first account that differs
 */
export async function verifyTable(
  table: Table,
  { source, destination }: { readonly source: ReadConnection; readonly destination: ReadConnection },
): Promise<TableDigest> {
  const hash = createHash("sha256");
  let count = 0;
  let last: StoredRow | undefined;
  do {
    const [rows, copies] = await Promise.all([readRows(source, table, last), readRows(destination, table, last)]);
    hash.update(toEqualLines(table, rows, copies));
    count += rows.length;
    last = rows.length === chunkRows ? rows.at(-1) : undefined;
  } while (last !== undefined);
  return { count, sha256: hash.digest("hex") };
}

function toEqualLines(table: Table, rows: readonly StoredRow[], copies: readonly StoredRow[]): string {
  const columns = columnNames(table);
  let lines = "";
  for (let index = 0; index < Math.max(rows.length, copies.length); index += 1) {
    const [row, copy] = [rows[index], copies[index]];
    const line = row === undefined ? undefined : toLine(columns, row);
    if (line === undefined || copy === undefined || line !== toLine(columns, copy)) throw differs(table, row ?? copy);
    lines += line;
  }
  return lines;
}

function differs(table: Table, row: StoredRow | undefined): InstallationError {
  return new InstallationError(
    "copy_differs",
    `The copy of ${table.name} differs from its source, first in account ${row?.["account_id"] ?? row?.["id"]}.`,
  );
}
