import { compareKeys, deleteRow, readChunks, toLine } from "./copied-rows.ts";
import type { CopiedRow, CopiedTable } from "./copied-tables.ts";
import type { CopyRun } from "./copy-run.ts";

/**
 * Removes the rows of the destination that are not in the source. Such rows exist only if the source has changed since the
 * copy was interrupted, or if another source is copied. After this, no row conflicts with a row of the source.
 */
export async function removeExtra(run: CopyRun, table: CopiedTable): Promise<void> {
  const { primary } = run.destination;
  const advance = await run.begin("comparing", table, primary);
  let before: CopiedRow | undefined;
  for await (const rows of readChunks(primary, table)) {
    const extra = await findExtra(run, table, { before, rows });
    if (extra.length > 0) await remove(run, table, extra);
    before = rows.at(-1);
    await advance(rows.length);
  }
}

/** @param range rows of the destination, and the last one before them */
async function findExtra(
  { source }: CopyRun,
  table: CopiedTable,
  range: { readonly before: CopiedRow | undefined; readonly rows: readonly CopiedRow[] },
): Promise<CopiedRow[]> {
  const extra = new Map(range.rows.map((row) => [identify(table, row), row]));
  const end = range.rows.at(-1);
  for await (const rows of readChunks(source, table, range.before)) {
    for (const row of rows) extra.delete(identify(table, row));
    const last = rows.at(-1);
    const isPast = last !== undefined && end !== undefined && compareKeys(table, last, end) >= 0;
    if (isPast || extra.size === 0) break;
  }
  return [...extra.values()];
}

/** Two rows of a referenced table are the same if their keys are equal: the row stays, and `addMissing` updates it. */
function identify(table: CopiedTable, row: CopiedRow): string {
  return table.isReferenced ? table.key.map((column) => row[column]).join(" ") : toLine(table, row);
}

async function remove(run: CopyRun, table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
  await run.change(async (transaction) => {
    for (const row of rows) {
      await table.index?.remove(transaction, run.destination, row);
      await deleteRow(transaction, table, row);
    }
  });
}
