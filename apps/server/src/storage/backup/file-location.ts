import { chooseFileEngine, findDatabaseFile } from "../database/choose-dialect.ts";
import type { DatabaseLocation } from "../database/database.ts";
import type { FileEngine } from "../dialects/file-engine.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { recordOf } from "./last-backup.ts";

/** A database in a file, which may not exist. */
export interface FileLocation {
  readonly databaseUrl: string;
  /** In full, without symbolic links. */
  readonly path: string;
  /** All paths that belong to the database. */
  readonly files: readonly string[];
  readonly engine: FileEngine;
}

/** @throws InstallationError `invalid_url` if the database is on a server */
export async function openFileLocation(location: DatabaseLocation): Promise<FileLocation> {
  const path = await findDatabaseFile(location);
  const engine = await chooseFileEngine(location);
  if (path === undefined || engine === undefined) {
    throw new InstallationError("invalid_url", `${location.setting} is a database on a server, not a file.`);
  }
  const files = [path, ...engine.suffixes.map((suffix) => `${path}${suffix}`), recordOf(path)];
  return { databaseUrl: location.databaseUrl, path, files, engine };
}
