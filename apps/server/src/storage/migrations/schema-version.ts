import type { Kysely } from "kysely";
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
  throw new Error(
    `The database is at version ${version} and this program knows versions up to ${newest}; run the newer Siteward that wrote it, or one after it.`,
  );
}
