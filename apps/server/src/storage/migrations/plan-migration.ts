import { chooseDialect } from "../database/choose-dialect.ts";
import type {
  DatabaseLocation,
  DialectDefinitions,
  Query,
  StorageDialect,
  WriteConnection,
} from "../database/database.ts";
import { type DatabaseOptions, defaultSetting, openDatabase } from "../database/open-database.ts";
import { createQueryBuilder } from "../database/query-builder.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { applyMigration, createVersionTable } from "./apply-migration.ts";
import { LiteralValues } from "./literal-values.ts";
import type { Migration } from "./migration.ts";
import { readVersion, requireKnownVersion } from "./schema-version.ts";
import { requireFinished } from "./unfinished-copy.ts";

/** What `migrate` would do to a database. */
export interface MigrationPlan {
  readonly from: number;
  readonly to: number;
  readonly steps: readonly MigrationStep[];
}

interface MigrationStep {
  readonly title: string;
  /** SQL with literal values, without a semicolon at the end. */
  readonly statements: readonly string[];
}

type PlanOptions = Pick<DatabaseOptions, "databaseUrl" | "setting" | "now">;

/**
 * Returns what `migrate` would do, without changing anything: the migrations run on a connection that only records their
 * statements. Does not create a database that does not exist.
 *
 * @throws InstallationError if `migrate` would refuse the database
 */
export async function planMigration(
  { databaseUrl, setting = defaultSetting, now = Date.now }: PlanOptions,
  migrations: readonly Migration[],
): Promise<MigrationPlan> {
  const location = { databaseUrl, setting };
  const dialect = await chooseDialect(location);
  const from = await findVersion(location, migrations);
  const missing = migrations.filter(({ version }) => version > from);
  const steps: MigrationStep[] = [];
  if (from === 0) {
    steps.push({ title: "the table of versions", statements: await record(dialect, createVersionTable) });
  }
  for (const migration of missing) {
    const apply = (transaction: WriteConnection, definitions: DialectDefinitions) =>
      applyMigration(transaction, migration, { definitions, now });
    const title = `version ${migration.version}: ${migration.name}`;
    steps.push({ title, statements: await record(dialect, apply) });
  }
  return { from, to: missing.at(-1)?.version ?? from, steps };
}

/** Returns the version of the database: 0 if it does not exist or has no table of versions. */
async function findVersion(location: DatabaseLocation, migrations: readonly Migration[]): Promise<number> {
  const database = await openDatabase({ ...location, allowsLongStatements: true, mustExist: true }).catch(ifMissing);
  if (database === undefined) return 0;
  const { primary, close } = database;
  try {
    const version = await readVersion(primary);
    requireKnownVersion(version, migrations);
    await requireFinished(primary);
    return version;
  } finally {
    await close();
  }
}

function ifMissing(error: unknown): undefined {
  if (!(error instanceof InstallationError && error.code === "no_database")) throw error;
}

/** Records the statements of `work` without running them. Each returns no rows. */
async function record(
  dialect: StorageDialect,
  work: (transaction: WriteConnection, definitions: DialectDefinitions) => Promise<void>,
): Promise<string[]> {
  const statements: string[] = [];
  const build = createQueryBuilder(dialect, [new LiteralValues()]);
  const run = async (statement: Query<unknown>) => {
    statements.push(statement.compile(build).sql.trim());
    return [];
  };
  const writeAtCommit = async (statement: Query<unknown>) => void (await run(statement));
  await work({ build, read: run, write: run, writeAtCommit }, dialect.definitions);
  return statements;
}
