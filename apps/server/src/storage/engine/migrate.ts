import { setTimeout } from "node:timers/promises";
import { InstallationError } from "../interface/installation-error.ts";
import type { Table } from "../tables/table.ts";
import { chooseEngine } from "./choose-engine.ts";
import {
  type Database,
  type DatabaseOptions,
  defaultSetting,
  type Engine,
  openDatabase,
  type ReadConnection,
  type SchemaWords,
  type WriteConnection,
} from "./database.ts";
import type { Migration } from "./schema.ts";
import { listNames, type Sql, sql } from "./statement.ts";

export interface MigrateOptions {
  /**
   * How long a migration is tried while others use its tables, and the pause in which requests that waited behind it
   * are answered.
   */
  readonly waits?: { readonly maxWaitMs: number; readonly pauseMs: number };
  /** Called with the names of the tables that a distributed database has distributed over its nodes. */
  readonly onDistribution?: (names: readonly string[]) => void;
}

const defaultWaits = { maxWaitMs: 60_000, pauseMs: 2_000 };

/**
 * Migrates the database to the newest version. Runs all missing migrations or none, in one process at a time.
 *
 * It waits for each lock only briefly, and tries again, because every request for a table waits behind it: next to
 * `pg_dump` for 9 seconds, 13 requests got a 503.
 *
 * @returns the migrations that ran
 * @throws InstallationError if the database is newer than the program, or `tables_in_use` that says who uses them
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  { waits: { maxWaitMs, pauseMs } = defaultWaits, onDistribution }: MigrateOptions = {},
): Promise<readonly Migration[]> {
  const { primary, engine } = database;
  const { server } = engine;
  const startMs = performance.now();
  for (;;) {
    try {
      const { ran, distributed } = await database.write((transaction) =>
        migrateWithin(transaction, database, migrations),
      );
      if (distributed.length > 0) onDistribution?.(distributed.map(({ name }) => name));
      return ran;
    } catch (error) {
      if (!server?.isLockTimeout(error)) throw error;
      if (performance.now() - startMs > maxWaitMs) {
        const reason = (await server.findLockHolder(primary)) ?? "another transaction used its tables";
        const waited = `The database could not be migrated for ${Math.round(maxWaitMs / 1_000)} seconds`;
        throw new InstallationError("tables_in_use", `${waited}: ${reason}.`, error);
      }
    }
    await setTimeout(pauseMs);
  }
}

/**
 * Whether the database is at the newest version, and all nodes of a distributed one have its tables. Needs only the
 * right to read tables.
 *
 * @throws InstallationError `not_coordinator` if the node lacks tables and cannot create them
 */
export async function isNewest({ primary, engine }: Database, migrations: readonly Migration[]): Promise<boolean> {
  if (!(await engine.findTables(primary)).has("schema_migrations")) return false;
  if ((await readVersion(primary)) !== migrations.at(-1)?.version) return false;
  return (await findUndistributed(engine, primary)).length === 0;
}

async function findUndistributed({ server }: Engine, connection: ReadConnection): Promise<readonly Table[]> {
  return (await server?.findUndistributed(connection)) ?? [];
}

export async function migrateWithin(
  transaction: WriteConnection,
  { engine, now }: Pick<Database, "engine" | "now">,
  migrations: readonly Migration[],
): Promise<{ readonly ran: readonly Migration[]; readonly distributed: readonly Table[] }> {
  const run = async (statements: readonly Sql[]) => {
    for (const statement of statements) await transaction.write(statement);
  };
  const { words, server } = engine;
  await run([versionTable(words)]);
  await server?.lockMigrations(transaction);
  const missing = missingAfter(await readVersion(transaction), migrations);
  for (const migration of missing) {
    await run(migration.sql(words));
    await engine.ifSupported(transaction, () => run(migration.optionalSql?.(words) ?? []));
    await run([recordOf(migration, now())]);
  }
  const distributed = await findUndistributed(engine, transaction);
  await run(server?.distribution(distributed) ?? []);
  return { ran: missing, distributed };
}

/**
 * Returns what `migrate` would do, with SQL that has no semicolon at the end, and changes nothing.
 *
 * @throws InstallationError if that would refuse the database
 */
export async function planMigration(
  { databaseUrl, setting = defaultSetting, now = Date.now }: Pick<DatabaseOptions, "databaseUrl" | "setting" | "now">,
  migrations: readonly Migration[],
) {
  const location = { databaseUrl, setting };
  const engine = await chooseEngine(location);
  const { words, server } = engine;
  const opening = { ...location, allowsLongStatements: true, mustExist: server === undefined };
  const database = await openDatabase(opening).catch(ifMissing);
  try {
    const isNew = database === undefined || !(await engine.findTables(database.primary)).has("schema_migrations");
    const from = isNew ? 0 : await readVersion(database.primary);
    const missing = missingAfter(from, migrations);
    const undistributed = database === undefined ? [] : await findUndistributed(engine, database.primary);
    const steps = [
      { title: "the table of versions", statements: from === 0 ? [versionTable(words)] : [] },
      ...missing.map((migration) => ({
        title: `version ${migration.version}: ${migration.name}`,
        statements: [...migration.sql(words), ...(migration.optionalSql?.(words) ?? []), recordOf(migration, now())],
      })),
      { title: "the nodes of Citus", statements: server?.distribution(undistributed) ?? [] },
    ];
    const to = missing.at(-1)?.version ?? from;
    return { from, to, steps: steps.filter(({ statements }) => statements.length > 0) };
  } finally {
    await database?.close();
  }
}

function ifMissing(error: unknown): undefined {
  if (!(error instanceof InstallationError && error.code === "no_database")) throw error;
}

/** Reads the version of the database: that of the last migration that ran. The table of versions must exist. */
export async function readVersion({ read }: ReadConnection): Promise<number> {
  const [last] = await read<{ version: number | null }>(sql`select max(version) as version from schema_migrations`);
  return last?.version ?? 0;
}

/** Returns the migrations after a version. @throws InstallationError `newer_version` if a newer program ran one */
export function missingAfter(version: number, migrations: readonly Migration[]): readonly Migration[] {
  const newest = migrations.at(-1)?.version ?? 0;
  if (version <= newest) return migrations.filter((migration) => migration.version > version);
  const message = `The database is at version ${version}, but this program knows versions up to ${newest} only.`;
  throw new InstallationError("newer_version", message);
}

function recordOf({ version, name }: Migration, nowMs: number): Sql {
  return sql`insert into schema_migrations (version, name, applied_at) values (${version}, '${listNames([name])}', ${nowMs})`;
}

function versionTable({ integer, text, tableEnd }: SchemaWords): Sql {
  return sql`create table if not exists schema_migrations (
  version ${integer} primary key,
  name ${text} not null,
  applied_at ${integer} not null
) ${tableEnd}`;
}
