import type { ReadConnection, StorageDialect } from "../database/database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { migrations } from "../migrations/migrations.ts";
import { readVersion, requireKnownVersion } from "../migrations/schema-version.ts";

/**
 * Checks that the database can be the source of a copy.
 *
 * @throws InstallationError that says why it cannot
 */
export async function requireCopyable(connection: ReadConnection, dialect: StorageDialect): Promise<void> {
  const isOurs = (await dialect.findTables(connection)).has("schema_migrations");
  const version = isOurs ? await readVersion(connection) : 0;
  if (version === 0) throw nothingToCopy("The source contains no Siteward data");
  requireKnownVersion(version, migrations);
  const newest = migrations.at(-1)?.version ?? 0;
  if (version < newest) {
    throw new InstallationError(
      "source_outdated",
      `The source is at version ${version}, and this program at version ${newest}.`,
    );
  }
  const accounts = await connection.read(connection.build.selectFrom("accounts").select("id").limit(1));
  if (accounts.length === 0) throw nothingToCopy("The source contains no account");
}

/** Returns the error for a source without data. The operator may have named the wrong database. */
export function nothingToCopy(fault: string): InstallationError {
  return new InstallationError("nothing_to_copy", `${fault}, so there is nothing to copy.`);
}
