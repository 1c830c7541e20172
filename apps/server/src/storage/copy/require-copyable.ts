import type { Kysely } from "kysely";
import type { StorageDialect } from "../dialects/dialect.ts";
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
  if (version === 0) throw nothingToCopy("holds nothing of Siteward");
  requireKnown(version, known);
  const newest = known.at(-1)?.version ?? 0;
  if (version < newest) {
    throw new Error(
      `The source is at version ${version} and this program at ${newest}; run \`siteward-server migrate\` on it first.`,
    );
  }
  if ((await readMark(connection)) !== undefined) {
    throw new Error("The source is an unfinished copy itself; finish that one first.");
  }
  const account = await connection.selectFrom("accounts").select("id").limit(1).executeTakeFirst();
  if (account === undefined) throw nothingToCopy("holds no account");
}

/** The source may be the wrong one. */
export function nothingToCopy(reason: string): Error {
  return new Error(`The source ${reason}, so there is nothing to copy; check --from.`);
}
