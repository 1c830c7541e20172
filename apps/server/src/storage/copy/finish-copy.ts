import { removeMark } from "../migrations/unfinished-copy.ts";
import { schemaMigrations, versions } from "../tables/schema-migrations.ts";
import { columnNames } from "../tables/table.ts";
import { readChunks, writeRows } from "./copied-rows.ts";
import type { CopiedTable, CopiedTableName } from "./copied-tables.ts";
import type { CopyRun } from "./copy-run.ts";
import { type TableDigest, verifyTable } from "./verify-table.ts";

/**
 * Adds the tables that grant access, copies the time of each migration, and removes the mark, all in one transaction. A
 * server that already runs on the destination has no API key before, so no client can write to an unfinished copy.
 */
export async function finishCopy(
  run: CopyRun,
  tables: readonly CopiedTable[],
): Promise<ReadonlyMap<CopiedTableName, TableDigest>> {
  const migrations = run.source.build.selectFrom("schema_migrations").select(columnNames(schemaMigrations));
  const ran = await run.source.read(migrations.where("version", ">", versions.migrationLock));
  const digests = new Map<CopiedTableName, TableDigest>();
  await run.change(async (transaction) => {
    for (const table of tables) {
      for await (const rows of readChunks(run.source, table)) await writeRows(transaction, table, rows);
      digests.set(table.name, await verifyTable(run, table, transaction));
    }
    for (const { version, ...record } of ran) {
      const update = transaction.build.updateTable("schema_migrations");
      await transaction.write(update.set(record).where("version", "=", version));
    }
    await removeMark(transaction);
  });
  return digests;
}
