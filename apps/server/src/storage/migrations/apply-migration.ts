import type { DialectDefinitions, WriteConnection } from "../database/database.ts";
import type { Migration } from "./migration.ts";

/** Creates the table that records which migrations ran, if it does not exist. */
export async function createVersionTable(
  transaction: WriteConnection,
  { integer, text, tableEnd }: DialectDefinitions,
): Promise<void> {
  await transaction.write(
    transaction.build.schema
      .createTable("schema_migrations")
      .ifNotExists()
      .addColumn("version", integer, (column) => column.primaryKey())
      .addColumn("name", text, (column) => column.notNull())
      .addColumn("applied_at", integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
  );
}

/** Runs a migration and records it. The database must be at the version before. */
export async function applyMigration(
  transaction: WriteConnection,
  migration: Migration,
  { definitions, now }: { readonly definitions: DialectDefinitions; readonly now: () => number },
): Promise<void> {
  const nowMs = now();
  await migration.up(transaction, definitions, nowMs);
  const record = { version: migration.version, name: migration.name, applied_at: nowMs };
  await transaction.write(transaction.build.insertInto("schema_migrations").values(record));
}
