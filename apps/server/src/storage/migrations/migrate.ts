import type { Database, WriteConnection } from "../database/database.ts";
import { applyMigration, createVersionTable } from "./apply-migration.ts";
import type { Migration } from "./migration.ts";
import { readVersion, requireKnownVersion } from "./schema-version.ts";
import { requireFinished } from "./unfinished-copy.ts";

/**
 * Migrates the database to the newest version. Runs all missing migrations or none, in one process at a time. Kysely's own
 * migrator does not lock SQLite, reports a newer database only as "corrupted", and orders executed migrations by time.
 *
 * @returns the migrations that ran
 * @throws InstallationError if the database is newer than the program, or an unfinished copy
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<Migration[]> {
  if (await isNewest(database, migrations)) return [];
  return database.write(async (transaction) => {
    const done = await migrateWithin(transaction, database, migrations);
    await requireFinished(transaction);
    return done;
  });
}

/** Whether the database is at the newest version. Needs only the right to read tables. */
export async function isNewest({ primary, dialect }: Database, migrations: readonly Migration[]): Promise<boolean> {
  if (!(await dialect.hasTable(primary, "schema_migrations"))) return false;
  if ((await readVersion(primary)) !== migrations.at(-1)?.version) return false;
  await requireFinished(primary);
  return true;
}

/** Migrates in a transaction of the caller. Accepts an unfinished copy. */
export async function migrateWithin(
  transaction: WriteConnection,
  { dialect, now }: Database,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const { definitions } = dialect;
  await dialect.createWithOthers(transaction, () => createVersionTable(transaction, definitions));
  await dialect.lockMigrations(transaction);
  const version = await readVersion(transaction);
  requireKnownVersion(version, migrations);
  const missing = migrations.filter((migration) => migration.version > version);
  for (const migration of missing) await applyMigration(transaction, migration, { definitions, now });
  return missing;
}
