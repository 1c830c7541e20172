import type { Transaction } from "kysely";
import type { DialectDefinitions, StorageDialect } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";
import type { Migration } from "./migration.ts";

/** Makes the table that tells which migrations ran, where there is none. */
export async function createVersionTable(
  transaction: Transaction<Schema>,
  { integer, text, tableEnd }: DialectDefinitions,
): Promise<void> {
  await transaction.schema
    .createTable("schema_migrations")
    .ifNotExists()
    .addColumn("version", integer, (column) => column.primaryKey())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("applied_at", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
}

/** Brings the database, which is at the version before, to the version of the migration. */
export async function applyMigration(
  transaction: Transaction<Schema>,
  migration: Migration,
  { dialect, now }: { readonly dialect: StorageDialect; readonly now: () => number },
): Promise<void> {
  await migration.up(transaction, dialect);
  const record = { version: migration.version, name: migration.name, applied_at: now() };
  await transaction.insertInto("schema_migrations").values(record).execute();
}
