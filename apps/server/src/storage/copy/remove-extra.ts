import { compareKeys, deleteRow, readChunks, toLine } from "./copied-rows.ts";
import type { CopiedRow, CopiedTable } from "./copied-tables.ts";
import type { Copying } from "./copying.ts";

/**
 * Removes from the destination what the source does not have: there is something only where the source changed since the
 * copy was interrupted. After this nothing is in the way of the source's rows.
 */
export async function removeExtra(copying: Copying, table: CopiedTable): Promise<void> {
  const { read } = copying.destination;
  const advance = await copying.begin("comparing", table, read);
  let before: CopiedRow | undefined;
  for await (const rows of readChunks(read, table)) {
    const extra = await findExtra(copying, table, { before, rows });
    if (extra.length > 0) await remove(copying, table, extra);
    before = rows.at(-1);
    await advance(rows.length);
  }
}

/** @param range rows of the destination, and the last one before them */
async function findExtra(
  { source }: Copying,
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

/** A row that others hang on stays where the source has one with its key, and is changed later. */
function identify(table: CopiedTable, row: CopiedRow): string {
  return table.isReferredTo ? table.key.map((column) => row[column]).join(" ") : toLine(table, row);
}

async function remove(copying: Copying, table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
  await copying.change(async (transaction) => {
    for (const row of rows) {
      await table.index?.remove(transaction, copying.destination, row);
      await deleteRow(transaction, table, row);
    }
  });
}
