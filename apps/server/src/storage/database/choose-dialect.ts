import type { DatabaseLocation, StorageDialect } from "../dialects/dialect.ts";
import { postgres } from "../dialects/postgres/postgres.ts";
import { sqlite } from "../dialects/sqlite/sqlite.ts";
import { InstallationError } from "../installation-error.ts";

/** The supported engines. */
const dialects = { sqlite, postgres } as const satisfies Record<string, StorageDialect>;

export type EngineName = keyof typeof dialects;

/**
 * Chooses the dialect that a database URL belongs to.
 *
 * @throws InstallationError `invalid_url` with a message that says which URLs are supported
 */
export function chooseDialect({ databaseUrl, setting }: DatabaseLocation): StorageDialect {
  const found = Object.values<StorageDialect>(dialects).find(({ urlSchemes }) =>
    urlSchemes.some((scheme) => databaseUrl.startsWith(scheme)),
  );
  if (found !== undefined) return found;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(databaseUrl)?.[0];
  // The rest of the URL may contain a password, so the message does not quote it.
  const fault = scheme === undefined ? "has no scheme" : `has the scheme "${scheme}", which is not supported`;
  throw new InstallationError(
    "invalid_url",
    `${setting} ${fault}. Use a URL such as "file:./data/siteward.db" or "postgres://user@host/database".`,
  );
}
