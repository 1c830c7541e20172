import type { ReadConnection } from "../database/database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import type { Migration } from "./migration.ts";

/** Reads the version of the database: that of the last migration that ran. The table of versions must exist. */
export async function readVersion(connection: ReadConnection): Promise<number> {
  const [last] = await connection.read(
    connection.build.selectFrom("schema_migrations").select(({ fn }) => fn.max<number | null>("version").as("version")),
  );
  return last?.version ?? 0;
}

/** @throws InstallationError `newer_version` if a newer program has migrated the database */
export function requireKnownVersion(version: number, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  if (version > newest) {
    throw new InstallationError(
      "newer_version",
      `The database is at version ${version}, but this program knows versions up to ${newest} only.`,
    );
  }
}
