import { chooseDialect } from "../database/choose-dialect.ts";
import type {
  DialectDefinitions,
  Query,
  ReadConnection,
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
 * Returns what `migrate` would do, without changing anything: the migrations run on a connection that reads the database, and
 * only records the statements that change it. Does not create a database that does not exist.
 *
 * @throws InstallationError if `migrate` would refuse the database
 */
export async function planMigration(
  { databaseUrl, setting = defaultSetting, now = Date.now }: PlanOptions,
  migrations: readonly Migration[],
): Promise<MigrationPlan> {
  const location = { databaseUrl, setting };
  const dialect = await chooseDialect(location);
  const database = await openDatabase({ ...location, allowsLongStatements: true, mustExist: true }).catch(ifMissing);
  try {
    const from = database === undefined ? 0 : await findVersion(database.primary, migrations);
    const missing = migrations.filter(({ version }) => version > from);
    const source = { dialect, tables: from === 0 ? undefined : database?.primary };
    const steps: MigrationStep[] = [];
    if (from === 0) {
      steps.push({ title: "the table of versions", statements: await record(source, createVersionTable) });
    }
    for (const migration of missing) {
      const apply = (transaction: WriteConnection, definitions: DialectDefinitions) =>
        applyMigration(transaction, migration, { definitions, now });
      const title = `version ${migration.version}: ${migration.name}`;
      steps.push({ title, statements: await record(source, apply) });
    }
    return { from, to: missing.at(-1)?.version ?? from, steps };
  } finally {
    await database?.close();
  }
}

function ifMissing(error: unknown): undefined {
  if (!(error instanceof InstallationError && error.code === "no_database")) throw error;
}

async function findVersion(primary: ReadConnection, migrations: readonly Migration[]): Promise<number> {
  const version = await readVersion(primary);
  requireKnownVersion(version, migrations);
  await requireFinished(primary);
  return version;
}

/** What a plan is made from. `tables` is undefined if the database has none: then a read returns no rows. */
interface PlanSource {
  readonly dialect: StorageDialect;
  readonly tables: ReadConnection | undefined;
}

/** Records the statements of `work` that change the database, without running them. Each returns no rows. */
async function record(
  { dialect, tables }: PlanSource,
  work: (transaction: WriteConnection, definitions: DialectDefinitions) => Promise<void>,
): Promise<string[]> {
  const statements: string[] = [];
  const build = createQueryBuilder(dialect, [new LiteralValues()]);
  const write = async (statement: Query<unknown>) => {
    statements.push(statement.compile(build).sql.trim());
    return [];
  };
  const read: ReadConnection["read"] = async (query) => (await tables?.read(query)) ?? [];
  const writeAtCommit = async (statement: Query<unknown>) => void (await write(statement));
  await work({ build, read, write, writeAtCommit }, dialect.definitions);
  return statements;
}
