import { readChunks, readRows, toLine, writeRows } from "./copied-rows.ts";
import type { CopiedRow, CopiedTable } from "./copied-tables.ts";
import type { CopyRun } from "./copy-run.ts";

/** Adds the rows that are missing from the destination. Run `removeExtra` first. */
export async function addMissing(run: CopyRun, table: CopiedTable): Promise<void> {
  const { primary } = run.destination;
  const advance = await run.begin("copying", table);
  let before: CopiedRow | undefined;
  for await (const rows of readChunks(run.source, table)) {
    const present = await readRows(primary, table, before);
    const lines = new Set(present.map((row) => toLine(table, row)));
    const missing = rows.filter((row) => !lines.has(toLine(table, row)));
    if (missing.length > 0) await add(run, table, missing);
    before = rows.at(-1);
    await advance(rows.length);
  }
}

async function add(run: CopyRun, table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
  await run.change(async (transaction) => {
    await writeRows(transaction, table, rows);
    for (const row of rows) await table.index?.add(transaction, run.destination, row);
  });
}
