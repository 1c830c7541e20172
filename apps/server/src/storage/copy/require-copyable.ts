import type { Kysely } from "kysely";
import type { StorageDialect } from "../dialects/dialect.ts";
import { InstallationError } from "../installation-error.ts";
import type { Migration } from "../migrations/migration.ts";
import { migrations } from "../migrations/migrations.ts";
import { readVersion, requireKnown } from "../migrations/schema-version.ts";
import { readMark } from "../migrations/unfinished-copy.ts";
import type { Schema } from "../tables/schema.ts";

/** @throws Error where the database is not one that can be copied from, with what to do about it */
export async function requireCopyable(
  connection: Kysely<Schema>,
  dialect: StorageDialect,
  known: readonly Migration[] = migrations,
): Promise<void> {
  const isOurs = await dialect.hasTable(connection, "schema_migrations");
  const version = isOurs ? await readVersion(connection) : 0;
  if (version === 0) throw nothingToCopy("contains no Siteward data");
  requireKnown(version, known);
  const newest = known.at(-1)?.version ?? 0;
  if (version < newest) {
    throw new InstallationError(
      "source_outdated",
      `The source is at version ${version}, and this program at version ${newest}.`,
    );
  }
  if ((await readMark(connection)) !== undefined) {
    throw new InstallationError("source_unfinished", "The source is an unfinished copy itself.");
  }
  const account = await connection.selectFrom("accounts").select("id").limit(1).executeTakeFirst();
  if (account === undefined) throw nothingToCopy("contains no account");
}

/** The source may be the wrong one. */
export function nothingToCopy(reason: string): InstallationError {
  return new InstallationError("nothing_to_copy", `The source ${reason}, so there is nothing to copy.`);
}
