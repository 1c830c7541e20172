import type { Kysely, Transaction } from "kysely";
import type { StorageDialect } from "../dialects/dialect.ts";
import { InstallationError } from "../installation-error.ts";
import type { Schema } from "../tables/schema.ts";

/** The mark stands among the migrations, below every version. */
const markVersion = -1;

/** Reads the mark that a database bears while it is copied into: which copy works at it. */
export async function readMark(connection: Kysely<Schema>): Promise<string | undefined> {
  const row = await connection
    .selectFrom("schema_migrations")
    .select("name")
    .where("version", "=", markVersion)
    .executeTakeFirst();
  return row?.name;
}

/** @throws Error where the database is not all that it will be */
export async function requireFinished(connection: Kysely<Schema>): Promise<void> {
  if ((await readMark(connection)) === undefined) return;
  throw new InstallationError("unfinished_copy", "The database is an unfinished copy.");
}

/** Marks the database as one that `mark` copies into, and no other copy any longer. */
export async function setMark(transaction: Transaction<Schema>, mark: string, now: number): Promise<void> {
  const row = { name: mark, applied_at: now };
  await transaction
    .insertInto("schema_migrations")
    .values({ version: markVersion, ...row })
    .onConflict((conflict) => conflict.column("version").doUpdateSet(row))
    .execute();
}

/**
 * Makes sure that the copy still has the database to itself, until the transaction ends.
 *
 * @throws Error where another has taken over since, or has finished it
 */
export async function requireMark(
  transaction: Transaction<Schema>,
  { forUpdate }: StorageDialect,
  mark: string,
): Promise<void> {
  const row = await transaction
    .selectFrom("schema_migrations")
    .select("name")
    .where("version", "=", markVersion)
    .modifyEnd(forUpdate)
    .executeTakeFirst();
  if (row?.name === mark) return;
  throw new InstallationError("copy_taken_over", "Another copy into the same database has taken over from this one.");
}

export async function removeMark(transaction: Transaction<Schema>): Promise<void> {
  await transaction.deleteFrom("schema_migrations").where("version", "=", markVersion).execute();
}
