import type { Transaction } from "kysely";
import type { Database } from "../database/database.ts";
import { transact } from "../database/transact.ts";
import type { Schema } from "../tables/schema.ts";
import { applyMigration, createVersionTable } from "./apply-migration.ts";
import type { Migration } from "./migration.ts";
import { readVersion, requireKnown } from "./schema-version.ts";
import { requireFinished } from "./unfinished-copy.ts";

/**
 * Brings the database to the newest version: all missing migrations or none, by one process at a time. Kysely's own
 * migrator holds no lock on SQLite, tells a newer database only as a "corrupted" one, and orders migrations by time.
 *
 * @returns the migrations that ran
 * @throws Error where the database is newer than the program, or an unfinished copy
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<Migration[]> {
  if (await isNewest(database, migrations)) return [];
  return transact(database, async (transaction) => {
    const done = await migrateWithin(transaction, database, migrations);
    await requireFinished(transaction);
    return done;
  });
}

/** Whether the database is at the newest version, which whoever may only use the tables can tell too. */
export async function isNewest({ read, dialect }: Database, migrations: readonly Migration[]): Promise<boolean> {
  if (!(await dialect.hasTable(read, "schema_migrations"))) return false;
  if ((await readVersion(read)) !== migrations.at(-1)?.version) return false;
  await requireFinished(read);
  return true;
}

/** Migrates in a transaction of the caller's, an unfinished copy too. */
export async function migrateWithin(
  transaction: Transaction<Schema>,
  database: Database,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  await createVersionTable(transaction, database.dialect.definitions);
  await database.dialect.lockSchema(transaction);
  const version = await readVersion(transaction);
  requireKnown(version, migrations);
  const missing = migrations.filter((migration) => migration.version > version);
  for (const migration of missing) await applyMigration(transaction, migration, database);
  return missing;
}
