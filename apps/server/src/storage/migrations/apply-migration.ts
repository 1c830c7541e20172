import type { WriteConnection } from "../dialects/connection.ts";
import type { Migration, MigrationEngine } from "./migration.ts";

/** Creates the table that records which migrations ran, if it does not exist. */
export async function createVersionTable(
  transaction: WriteConnection,
  { build, definitions: { integer, text, tableEnd } }: MigrationEngine,
): Promise<void> {
  await transaction.write(
    build.schema
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
  { now, ...engine }: MigrationEngine & { readonly now: () => number },
): Promise<void> {
  await migration.up(transaction, engine);
  const record = { version: migration.version, name: migration.name, applied_at: now() };
  await transaction.write(engine.build.insertInto("schema_migrations").values(record));
}
