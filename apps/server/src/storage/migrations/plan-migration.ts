import { chooseDialect } from "../database/choose-dialect.ts";
import type { Database } from "../database/database.ts";
import { type DatabaseOptions, defaultSetting, openDatabase } from "../database/open-database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { type Migration, recordOf, versionTable } from "./migration.ts";
import { readVersion, requireKnownVersion } from "./schema-version.ts";

/** What `migrate` would do to a database. */
export interface MigrationPlan {
  readonly from: number;
  readonly to: number;
  readonly steps: readonly MigrationStep[];
}

interface MigrationStep {
  readonly title: string;
  /** SQL without a semicolon at the end. */
  readonly statements: readonly string[];
}

type PlanOptions = Pick<DatabaseOptions, "databaseUrl" | "setting" | "now">;

/**
 * Returns what `migrate` would do, without changing anything. Does not create a database that does not exist.
 *
 * @throws InstallationError if `migrate` would refuse the database
 */
export async function planMigration(
  { databaseUrl, setting = defaultSetting, now = Date.now }: PlanOptions,
  migrations: readonly Migration[],
): Promise<MigrationPlan> {
  const location = { databaseUrl, setting };
  const { words, createsDatabases: mustExist, ...dialect } = await chooseDialect(location);
  const database = await openDatabase({ ...location, allowsLongStatements: true, mustExist }).catch(ifMissing);
  try {
    const from = database === undefined ? 0 : await findVersion(database, migrations);
    const missing = migrations.filter(({ version }) => version > from);
    const undistributed = database === undefined ? [] : await dialect.findUndistributed(database.primary);
    const steps: MigrationStep[] = [
      { title: "the table of versions", statements: from === 0 ? [versionTable(words)] : [] },
      ...missing.map((migration) => ({
        title: `version ${migration.version}: ${migration.name}`,
        statements: [...migration.sql(words), ...(migration.optionalSql?.(words) ?? []), recordOf(migration, now())],
      })),
      { title: "the nodes of Citus", statements: dialect.distribution(undistributed) },
    ];
    return {
      from,
      to: missing.at(-1)?.version ?? from,
      steps: steps.filter(({ statements }) => statements.length > 0),
    };
  } finally {
    await database?.close();
  }
}

function ifMissing(error: unknown): undefined {
  if (!(error instanceof InstallationError && error.code === "no_database")) throw error;
}

async function findVersion({ primary, dialect }: Database, migrations: readonly Migration[]): Promise<number> {
  if (!(await dialect.findTables(primary)).has("schema_migrations")) return 0;
  const version = await readVersion(primary);
  requireKnownVersion(version, migrations);
  return version;
}
