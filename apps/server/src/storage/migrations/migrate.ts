import { sql } from "kysely";
import type { Database, WriteConnection } from "../database/database.ts";
import type { Table } from "../tables/table.ts";
import { type Migration, recordOf, versionTable } from "./migration.ts";
import { readVersion, requireKnownVersion } from "./schema-version.ts";
import { type LockWaits, untilUnlocked } from "./until-unlocked.ts";

export interface MigrateOptions {
  readonly waits?: LockWaits;
  /** Called with the names of the tables that a distributed database has distributed over its nodes. */
  readonly onDistribution?: (names: readonly string[]) => void;
}

/**
 * Migrates the database to the newest version. Runs all missing migrations or none, in one process at a time. Kysely's own
 * migrator does not lock SQLite, reports a newer database only as "corrupted", and orders executed migrations by time.
 *
 * @returns the migrations that ran
 * @throws InstallationError if the database is newer than the program or in use for too long
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  { waits, onDistribution }: MigrateOptions = {},
): Promise<readonly Migration[]> {
  if (await isNewest(database, migrations)) return [];
  const attempt = () => database.write((transaction) => migrateWithin(transaction, database, migrations));
  const { ran, distributed } = await untilUnlocked(database, attempt, waits);
  if (distributed.length > 0) onDistribution?.(distributed.map(({ name }) => name));
  return ran;
}

/**
 * Whether the database is at the newest version, and all nodes of a distributed one have its tables. Needs only the right to read
 * tables.
 *
 * @throws InstallationError `not_coordinator` if the node lacks tables and cannot create them
 */
export async function isNewest({ primary, dialect }: Database, migrations: readonly Migration[]): Promise<boolean> {
  if (!(await dialect.findTables(primary)).has("schema_migrations")) return false;
  if ((await readVersion(primary)) !== migrations.at(-1)?.version) return false;
  return (await dialect.findUndistributed(primary)).length === 0;
}

/** Migrates in a transaction of the caller. */
export async function migrateWithin(
  transaction: WriteConnection,
  { dialect, now }: Pick<Database, "dialect" | "now">,
  migrations: readonly Migration[],
): Promise<{ readonly ran: readonly Migration[]; readonly distributed: readonly Table[] }> {
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await transaction.write(sql.raw(statement));
  };
  const { words } = dialect;
  await dialect.createWithOthers(transaction, () => run([versionTable(words)]));
  await dialect.lockMigrations(transaction);
  const version = await readVersion(transaction);
  requireKnownVersion(version, migrations);
  const missing = migrations.filter((migration) => migration.version > version);
  for (const migration of missing) {
    await run(migration.sql(words));
    await dialect.ifSupported(transaction, () => run(migration.optionalSql?.(words) ?? []));
    await run([recordOf(migration, now())]);
  }
  const distributed = await dialect.findUndistributed(transaction);
  await run(dialect.distribution(distributed));
  return { ran: missing, distributed };
}
