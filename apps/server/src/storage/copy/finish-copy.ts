import { removeMark } from "../migrations/unfinished-copy.ts";
import { readChunks, writeRows } from "./copied-rows.ts";
import type { CopiedTable, CopiedTableName } from "./copied-tables.ts";
import type { Copying } from "./copying.ts";
import { type TableDigest, verifyTable } from "./verify-table.ts";

/**
 * Adds the tables that let clients in, says of each version when the source came to it, and makes the destination one that
 * the program takes, all at once: a server that runs on it already has no key to let anybody write before.
 */
export async function finishCopy(
  copying: Copying,
  tables: readonly CopiedTable[],
): Promise<ReadonlyMap<CopiedTableName, TableDigest>> {
  const versions = await copying.source.selectFrom("schema_migrations").selectAll().where("version", ">", 0).execute();
  const digests = new Map<CopiedTableName, TableDigest>();
  await copying.change(async (transaction) => {
    for (const table of tables) {
      for await (const rows of readChunks(copying.source, table)) await writeRows(transaction, table, rows);
      digests.set(table.name, await verifyTable(copying, table, transaction));
    }
    for (const { version, ...record } of versions) {
      await transaction.updateTable("schema_migrations").set(record).where("version", "=", version).execute();
    }
    await removeMark(transaction);
  });
  return digests;
}
