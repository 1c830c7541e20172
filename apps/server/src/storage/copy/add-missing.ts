import type { WriteConnection } from "../database/database.ts";
import { readChunks, readRows, toLine, writeRows } from "./copied-rows.ts";
import type { CopiedRow, CopiedTable } from "./copied-tables.ts";
import type { CopyRun } from "./copy-run.ts";

/**
 * A transaction adds a tenth of the rows before it. New domains are all over their index, so each transaction writes most of the index
 * again: with always 1,000 rows, a copy of 200,000 websites into SQLite took 1.2 times as long.
 */
const transactionShare = 0.1;
/** Bounds the log of SQLite, which contains an entire transaction: 335 MB with lists of full length. */
const maxTransactionRows = 5_000;

/** Adds the rows that are missing from the destination. Run `removeExtra` first. */
export async function addMissing(run: CopyRun, table: CopiedTable): Promise<void> {
  const advance = await run.begin("copying", table);
  let added: Added = { last: undefined, count: 0, isComplete: false };
  for (let total = 0; !added.isComplete; total += added.count) {
    const rest = { after: added.last, minRows: Math.min(total * transactionShare, maxTransactionRows) };
    added = await run.change((transaction) => addNext(run, table, transaction, rest));
    if (added.count > 0) await advance(added.count);
  }
}

/** What a transaction has added: how many rows, up to which, and whether no others follow. */
interface Added {
  readonly last: CopiedRow | undefined;
  readonly count: number;
  readonly isComplete: boolean;
}

/** Reads the source from the same row again if the transaction has a conflict and so runs again. */
async function addNext(
  run: CopyRun,
  table: CopiedTable,
  transaction: WriteConnection,
  { after, minRows }: { readonly after: CopiedRow | undefined; readonly minRows: number },
): Promise<Added> {
  let last = after;
  let count = 0;
  for await (const rows of readChunks(run.source, table, after)) {
    const missing = await findMissing(run, table, { before: last, rows });
    if (missing.length > 0) {
      await writeRows(transaction, table, missing);
      await table.index?.add(transaction, run.destination, missing);
    }
    last = rows.at(-1);
    count += rows.length;
    if (count >= minRows) return { last, count, isComplete: false };
  }
  return { last, count, isComplete: true };
}

/** @param range rows of the source, and the last one before them */
async function findMissing(
  { destination: { primary } }: CopyRun,
  table: CopiedTable,
  { before, rows }: { readonly before: CopiedRow | undefined; readonly rows: readonly CopiedRow[] },
): Promise<readonly CopiedRow[]> {
  const present = await readRows(primary, table, before);
  if (present.length === 0) return rows;
  const lines = new Set(present.map((row) => toLine(table, row)));
  return rows.filter((row) => !lines.has(toLine(table, row)));
}
