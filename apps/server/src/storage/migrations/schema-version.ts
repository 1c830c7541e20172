import type { Kysely } from "kysely";
import { InstallationError } from "../installation-error.ts";
import type { Schema } from "../tables/schema.ts";
import type { Migration } from "./migration.ts";

/** Reads which version the database is at, where it has the table of versions: that of the last migration that ran. */
export async function readVersion(connection: Kysely<Schema>): Promise<number> {
  const { max } = connection.fn;
  const row = await connection
    .selectFrom("schema_migrations")
    .select(max<number | null>("version").as("version"))
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** @throws Error where the database is newer than the program */
export function requireKnown(version: number, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  if (version <= newest) return;
  throw new InstallationError(
    "newer_version",
    `The database is at version ${version}, but this program knows versions up to ${newest} only.`,
  );
}
