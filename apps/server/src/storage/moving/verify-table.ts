import { createHash } from "node:crypto";
import type { ReadConnection } from "../database/database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { chunkRows, readRows, toLine } from "./copied-rows.ts";
import type { CopiedRow, CopiedTable } from "./copied-tables.ts";

/** A digest of all rows of a table. It is the same on every engine. */
export interface TableDigest {
  readonly count: number;
  /** The hash of one line per row in order of the key, in hexadecimal. */
  readonly sha256: string;
}

/**
 * Reads the table again from both databases and compares all rows.
 *
 * @param advance called with the number of rows that were compared since the last call
 * @throws InstallationError `copy_differs`, which names the first account that differs
 */
export async function verifyTable(
  table: CopiedTable,
  { source, destination }: { readonly source: ReadConnection; readonly destination: ReadConnection },
  advance: (rows: number) => void,
): Promise<TableDigest> {
  const hash = createHash("sha256");
  let count = 0;
  let last: CopiedRow | undefined;
  do {
    const [rows, copies] = await Promise.all([readRows(source, table, last), readRows(destination, table, last)]);
    hash.update(toEqualLines(table, rows, copies));
    count += rows.length;
    advance(rows.length);
    last = rows.length === chunkRows ? rows.at(-1) : undefined;
  } while (last !== undefined);
  return { count, sha256: hash.digest("hex") };
}

/** Returns the lines of the rows, which are those of the copies too. */
function toEqualLines(table: CopiedTable, rows: readonly CopiedRow[], copies: readonly CopiedRow[]): string {
  let lines = "";
  for (let index = 0; index < Math.max(rows.length, copies.length); index += 1) {
    const [row, copy] = [rows[index], copies[index]];
    const line = row === undefined ? undefined : toLine(table, row);
    if (line === undefined || copy === undefined || line !== toLine(table, copy)) throw differs(table, row ?? copy);
    lines += line;
  }
  return lines;
}

function differs(table: CopiedTable, row: CopiedRow | undefined): InstallationError {
  return new InstallationError(
    "copy_differs",
    `The copy of ${table.name} differs from its source, first in account ${row?.[table.accountColumn]}.`,
  );
}
