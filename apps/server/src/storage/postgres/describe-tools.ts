import { quoteForShell } from "../../own-programs.ts";
import type { DatabaseLocation } from "../engine/connection.ts";
import type { BackupTools } from "../engine/file-engine.ts";
import { libpqParameters, readPostgresUrl } from "./postgres-url.ts";

const restoredSuffix = "_restored";
/** The user that every new server has. The owner of a database need not have the right to create another one. */
const superuser = "postgres";

/**
 * Returns the lines of PostgreSQL's own tools for the database of a URL. They contain no password: the tools prompt for
 * it, or read it from `PGPASSWORD` or `~/.pgpass`.
 *
 * @throws InstallationError `invalid_url`
 */
export function describeTools({ databaseUrl, setting }: DatabaseLocation): BackupTools {
  const { client } = readPostgresUrl(databaseUrl, setting);
  const name = client.database ?? client.user ?? "siteward";
  const url = (database: string, user = client.user) => quoteForShell(toToolUrl(databaseUrl, { database, user }));
  const restored = `${name}${restoredSuffix}`;
  const owner = quoteForShell(client.user ?? superuser);
  return {
    backup: (file) => [`pg_dump --format=custom --file=${quoteForShell(file)} --dbname=${url(name)}`],
    restore: (file) => [
      `createdb --maintenance-db=${url("postgres", superuser)} --owner=${owner} ` +
        `--template=template0 --encoding=UTF8 --locale=C ${quoteForShell(restored)}`,
      `pg_restore --exit-on-error --no-owner --dbname=${url(restored)} ${quoteForShell(file)}`,
    ],
  };
}

/** The tools refuse parameters that they do not know, so those of Siteward are removed. */
function toToolUrl(
  databaseUrl: string,
  { database, user = "" }: { database: string; user: string | undefined },
): string {
  const url = new URL(databaseUrl);
  url.username = encodeURIComponent(user);
  url.password = "";
  url.pathname = `/${encodeURIComponent(database)}`;
  for (const name of [...url.searchParams.keys()]) {
    if (!libpqParameters.includes(name)) url.searchParams.delete(name);
  }
  return url.href;
}
