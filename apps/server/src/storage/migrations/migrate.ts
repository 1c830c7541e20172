import type { Transaction } from "kysely";
import type { Database } from "../database.ts";
import type { DialectDefinitions } from "../dialects/dialect.ts";
import type { Schema } from "../schema.ts";
import { transact } from "../transact.ts";
import type { Migration } from "./migration.ts";

/**
 * Brings the database to the newest version: all missing migrations or none, by one process at a time. Kysely's own
 * migrator holds no lock on SQLite, tells a newer database only as a "corrupted" one, and orders migrations by time.
 *
 * @returns the migrations that ran
 * @throws Error where the database is newer than the program
 */
export function migrate(database: Database, migrations: readonly Migration[]): Promise<Migration[]> {
  const { dialect, now } = database;
  return transact(database, async (transaction) => {
    await createVersionTable(transaction, dialect.definitions);
    await dialect.lockSchema(transaction);
    const version = await readVersion(transaction);
    requireKnown(version, migrations);
    const missing = migrations.filter((migration) => migration.version > version);
    for (const migration of missing) {
      await migration.up(transaction, dialect);
      const record = { version: migration.version, name: migration.name, applied_at: now() };
      await transaction.insertInto("schema_migrations").values(record).execute();
    }
    return missing;
  });
}

async function createVersionTable(
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

async function readVersion(transaction: Transaction<Schema>): Promise<number> {
  const { max } = transaction.fn;
  const row = await transaction
    .selectFrom("schema_migrations")
    .select(max<number | null>("version").as("version"))
    .executeTakeFirst();
  return row?.version ?? 0;
}

function requireKnown(version: number, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  if (version <= newest) return;
  throw new Error(
    `The database is at version ${version} and this program knows versions up to ${newest}; run the newer Siteward that wrote it, or one after it.`,
  );
}
