import type { Database } from "../database/database.ts";
import type { QueryBuilder } from "../database/query-builder.ts";
import type { ReadConnection, WriteConnection } from "../dialects/connection.ts";
import { InstallationError } from "../installation-error.ts";
import { versions } from "../tables/schema-migrations.ts";

const version = versions.unfinishedCopy;

/** Returns the mark of the copy that writes to the database, or undefined if the database is not an unfinished copy. */
export async function readMark(connection: ReadConnection, build: QueryBuilder): Promise<string | undefined> {
  const [mark] = await connection.read(selectMark(build));
  return mark?.name;
}

/** @throws InstallationError `unfinished_copy` if rows may be missing from the database */
export async function requireFinished(connection: ReadConnection, build: QueryBuilder): Promise<void> {
  if ((await readMark(connection, build)) === undefined) return;
  throw new InstallationError("unfinished_copy", "The database is an unfinished copy.");
}

/** Marks the database as an unfinished copy. From now on, only the copy with this mark can write to it. */
export async function setMark(transaction: WriteConnection, { build, now }: Database, mark: string): Promise<void> {
  const row = { name: mark, applied_at: now() };
  await transaction.write(
    build
      .insertInto("schema_migrations")
      .values({ version, ...row })
      .onConflict((conflict) => conflict.column("version").doUpdateSet(row)),
  );
}

/**
 * Keeps other copies from writing to the database until the transaction ends.
 *
 * @throws InstallationError `copy_taken_over` if another copy has taken over or has finished
 */
export async function requireMark(
  transaction: WriteConnection,
  { build, dialect }: Database,
  mark: string,
): Promise<void> {
  const [found] = await transaction.read(selectMark(build).modifyEnd(dialect.forUpdate));
  if (found?.name === mark) return;
  throw new InstallationError("copy_taken_over", "Another copy into the same database has taken over from this one.");
}

export async function removeMark(transaction: WriteConnection, { build }: Database): Promise<void> {
  await transaction.write(build.deleteFrom("schema_migrations").where("version", "=", version));
}

function selectMark(build: QueryBuilder) {
  return build.selectFrom("schema_migrations").select("name").where("version", "=", version);
}
