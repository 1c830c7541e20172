import type { DatabaseLocation, StorageDialect } from "../dialects/dialect.ts";
import type { BackupTools, FileEngine } from "../dialects/file-engine.ts";
import { InstallationError } from "../interface/installation-error.ts";

/** The supported engines, and the schemes of their URLs. A process loads only the code of the engine that it uses. */
const engines = {
  sqlite: {
    urlSchemes: ["file:"],
    load: async () => (await import("../dialects/sqlite/sqlite.ts")).sqlite,
    findFile: async (location) => (await import("../dialects/sqlite/find-sqlite-file.ts")).findSqliteFile(location),
    loadFileEngine: async () => (await import("../dialects/sqlite/file-engine.ts")).sqliteFileEngine,
    describeTools: async () => undefined,
  },
  postgres: {
    urlSchemes: ["postgres:", "postgresql:"],
    load: async () => (await import("../dialects/postgres/postgres.ts")).postgres,
    findFile: async () => undefined,
    loadFileEngine: async () => undefined,
    describeTools: async (location) => (await import("../dialects/postgres/describe-tools.ts")).describeTools(location),
  },
} as const satisfies Record<string, Engine>;

interface Engine {
  readonly urlSchemes: readonly string[];
  load(): Promise<StorageDialect>;
  findFile(location: DatabaseLocation): Promise<string | undefined>;
  loadFileEngine(): Promise<FileEngine | undefined>;
  describeTools(location: DatabaseLocation): Promise<BackupTools | undefined>;
}

export type EngineName = keyof typeof engines;

/**
 * Chooses the dialect that a database URL belongs to.
 *
 * @throws InstallationError `invalid_url` with a message that says which URLs are supported
 */
export async function chooseDialect(location: DatabaseLocation): Promise<StorageDialect> {
  return chooseEngine(location).load();
}

/**
 * Returns the path of the database if it is a file, in full and without symbolic links, whether it exists or not. Undefined if
 * the database is on a server. Opens nothing, and loads no driver.
 *
 * @throws InstallationError `invalid_url`
 */
export async function findDatabaseFile(location: DatabaseLocation): Promise<string | undefined> {
  return chooseEngine(location).findFile(location);
}

/** Returns what makes backups of a database that is a file. Undefined if the database is on a server. */
export async function chooseFileEngine(location: DatabaseLocation): Promise<FileEngine | undefined> {
  return chooseEngine(location).loadFileEngine();
}

/** Returns the command lines of the engine's own tools for backups. Undefined if Siteward makes them. */
export async function describeBackupTools(location: DatabaseLocation): Promise<BackupTools | undefined> {
  return chooseEngine(location).describeTools(location);
}

function chooseEngine({ databaseUrl, setting }: DatabaseLocation): Engine {
  const found = Object.values<Engine>(engines).find(({ urlSchemes }) =>
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
