import type { ReadConnection, StorageDialect, WriteConnection } from "../database/database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { versions } from "../tables/schema-migrations.ts";

const version = versions.unfinishedCopy;

/** Returns the mark of the copy that writes to the database, or undefined if the database is not an unfinished copy. */
export async function readMark(connection: ReadConnection): Promise<string | undefined> {
  const [mark] = await connection.read(selectMark(connection));
  return mark?.name;
}

/** @throws InstallationError `unfinished_copy` if rows may be missing from the database */
export async function requireFinished(connection: ReadConnection): Promise<void> {
  if ((await readMark(connection)) === undefined) return;
  throw new InstallationError("unfinished_copy", "The database is an unfinished copy.");
}

/** Marks the database as an unfinished copy. From now on, only the copy with this mark can write to it. */
export async function setMark(transaction: WriteConnection, mark: string, now: number): Promise<void> {
  const row = { name: mark, applied_at: now };
  await transaction.write(
    transaction.build
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
  { forUpdate }: StorageDialect,
  mark: string,
): Promise<void> {
  const [found] = await transaction.read(selectMark(transaction).modifyEnd(forUpdate));
  if (found?.name === mark) return;
  throw new InstallationError("copy_taken_over", "Another copy into the same database has taken over from this one.");
}

export async function removeMark(transaction: WriteConnection): Promise<void> {
  await transaction.write(transaction.build.deleteFrom("schema_migrations").where("version", "=", version));
}

function selectMark({ build }: ReadConnection) {
  return build.selectFrom("schema_migrations").select("name").where("version", "=", version);
}
