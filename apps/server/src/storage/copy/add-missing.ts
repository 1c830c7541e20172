import { readChunks, readRows, toLine, writeRows } from "./copied-rows.ts";
import type { CopiedRow, CopiedTable } from "./copied-tables.ts";
import type { Copying } from "./copying.ts";

/** Adds to the destination what it does not have of the source's rows, and has no other rows beside. */
export async function addMissing(copying: Copying, table: CopiedTable): Promise<void> {
  const { read } = copying.destination;
  const advance = await copying.begin("copying", table);
  let before: CopiedRow | undefined;
  for await (const rows of readChunks(copying.source, table)) {
    const present = await readRows(read, table, before);
    const lines = new Set(present.map((row) => toLine(table, row)));
    const missing = rows.filter((row) => !lines.has(toLine(table, row)));
    if (missing.length > 0) await add(copying, table, missing);
    before = rows.at(-1);
    await advance(rows.length);
  }
}

async function add(copying: Copying, table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
  await copying.change(async (transaction) => {
    await writeRows(transaction, table, rows);
    for (const row of rows) await table.index?.add(transaction, copying.destination, row);
  });
}
