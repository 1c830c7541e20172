import { Kysely, type Transaction } from "kysely";
import { chooseDialect } from "../database/choose-dialect.ts";
import { type DatabaseOptions, defaultSetting, openDatabase } from "../database/open-database.ts";
import type { DatabasePlace, StorageDialect } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";
import { applyMigration, createVersionTable } from "./apply-migration.ts";
import type { Migration } from "./migration.ts";
import { RecordingDriver } from "./recording-driver.ts";
import { readVersion, requireKnown } from "./schema-version.ts";
import { requireFinished } from "./unfinished-copy.ts";
import { ValuesInPlace } from "./values-in-place.ts";

/** What `migrate` would do to a database. */
export interface MigrationPlan {
  readonly from: number;
  readonly to: number;
  readonly steps: readonly MigrationStep[];
}

interface MigrationStep {
  readonly title: string;
  /** In SQL, with every value in its place and no semicolon at the end. */
  readonly statements: readonly string[];
}

/**
 * Tells what `migrate` would do, and does nothing: the migrations run on a connection that leads nowhere. Where there is
 * no database, none is made.
 *
 * @throws Error where `migrate` would refuse the database
 */
export async function planMigration(
  { databaseUrl, setting = defaultSetting, now = Date.now }: Pick<DatabaseOptions, "databaseUrl" | "setting" | "now">,
  migrations: readonly Migration[],
): Promise<MigrationPlan> {
  const place = { databaseUrl, setting };
  const dialect = chooseDialect(place);
  const from = await findVersion(dialect, place, migrations);
  const missing = migrations.filter(({ version }) => version > from);
  const steps: MigrationStep[] = [];
  if (from === 0) {
    const create = (transaction: Transaction<Schema>) => createVersionTable(transaction, dialect.definitions);
    steps.push({ title: "the table of versions", statements: await record(dialect, create) });
  }
  for (const migration of missing) {
    const apply = (transaction: Transaction<Schema>) => applyMigration(transaction, migration, { dialect, now });
    const title = `version ${migration.version}: ${migration.name}`;
    steps.push({ title, statements: await record(dialect, apply) });
  }
  return { from, to: missing.at(-1)?.version ?? from, steps };
}

/** A database without a table of versions is at none. */
async function findVersion(
  dialect: StorageDialect,
  place: DatabasePlace,
  migrations: readonly Migration[],
): Promise<number> {
  if (!(await dialect.exists(place))) return 0;
  const { read, close } = await openDatabase({ ...place, isPatient: true });
  try {
    if (!(await dialect.hasTable(read, "schema_migrations"))) return 0;
    const version = await readVersion(read);
    requireKnown(version, migrations);
    await requireFinished(read);
    return version;
  } finally {
    await close();
  }
}

async function record(
  { syntax }: StorageDialect,
  work: (transaction: Transaction<Schema>) => Promise<void>,
): Promise<string[]> {
  const statements: string[] = [];
  const createDriver = () => new RecordingDriver((statement) => statements.push(statement.trim()));
  const recorder = new Kysely<Schema>({ dialect: { ...syntax, createDriver }, plugins: [new ValuesInPlace()] });
  await recorder.transaction().execute(work);
  return statements;
}
