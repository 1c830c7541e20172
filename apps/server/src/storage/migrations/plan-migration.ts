import { chooseDialect } from "../database/choose-dialect.ts";
import type { Database, Query, ReadConnection, StorageDialect, WriteConnection } from "../database/database.ts";
import { type DatabaseOptions, defaultSetting, openDatabase } from "../database/open-database.ts";
import { createQueryBuilder } from "../database/query-builder.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { applyMigration, createVersionTable } from "./apply-migration.ts";
import { LiteralValues } from "./literal-values.ts";
import type { Migration } from "./migration.ts";
import { readVersion, requireKnownVersion } from "./schema-version.ts";

/** The versions between which `migrate` would migrate a database. */
export interface MigrationVersions {
  readonly from: number;
  readonly to: number;
}

/** Receives a plan part by part, in order. The plan waits until each part is received, so a slow reader does not fill the memory. */
export interface PlanReader {
  onStart(versions: MigrationVersions): Promise<void>;
  /** Called before the statements of a step. */
  onStep(title: string): Promise<void>;
  /** @param statement SQL with literal values, without a semicolon at the end */
  onStatement(statement: string): Promise<void>;
}

type PlanOptions = Pick<DatabaseOptions, "databaseUrl" | "setting" | "now">;

/**
 * Tells what `migrate` would do, without changing anything: the migrations run on a connection that reads the database, and only
 * report the statements that change it. A migration of many records has many. Does not create a database that does not exist.
 *
 * @throws InstallationError if `migrate` would refuse the database. Then nothing was told.
 */
export async function planMigration(
  { databaseUrl, setting = defaultSetting, now = Date.now }: PlanOptions,
  migrations: readonly Migration[],
  reader: PlanReader,
): Promise<void> {
  const location = { databaseUrl, setting };
  const dialect = await chooseDialect(location);
  const mustExist = dialect.createsDatabases;
  const database = await openDatabase({ ...location, allowsLongStatements: true, mustExist }).catch(ifMissing);
  try {
    const from = database === undefined ? 0 : await findVersion(database, migrations);
    const missing = migrations.filter(({ version }) => version > from);
    const transaction = recordingTransaction(dialect, from === 0 ? undefined : database?.primary, reader);
    const undistributed = database === undefined ? [] : await dialect.findUndistributed(database.primary);
    const { definitions } = dialect;
    await reader.onStart({ from, to: missing.at(-1)?.version ?? from });
    if (from === 0) {
      await reader.onStep("the table of versions");
      await createVersionTable(transaction, definitions);
    }
    for (const migration of missing) {
      await reader.onStep(`version ${migration.version}: ${migration.name}`);
      await applyMigration(transaction, migration, { definitions, now });
    }
    if (undistributed.length === 0) return;
    await reader.onStep("the nodes of Citus");
    await dialect.distribute(transaction, undistributed);
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

/**
 * Returns a transaction that reports the statements that change the database instead of running them. Each returns no rows.
 *
 * @param tables undefined if the database has none: then a read returns no rows
 */
function recordingTransaction(
  dialect: StorageDialect,
  tables: ReadConnection | undefined,
  reader: PlanReader,
): WriteConnection {
  const build = createQueryBuilder(dialect, [new LiteralValues()]);
  const write = async (statement: Query<unknown>) => {
    await reader.onStatement(statement.compile(build).sql.trim());
    return [];
  };
  const read: ReadConnection["read"] = async (query) => (await tables?.read(query)) ?? [];
  const writeAtCommit = async (statement: Query<unknown>) => void (await write(statement));
  return { build, read, write, writeAtCommit };
}
