import { mkdir, open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { databaseReadOnly } from "@siteward/service";
import type { DatabaseLocation } from "../engine/connection.ts";
import type { EngineOptions, OpenEngine } from "../engine/engine.ts";
import type { FilePlace } from "../engine/movable-files.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { busyTimeoutMs, connect, connectFirst, requireOwnFile } from "./connect-sqlite.ts";
import { SqliteReader } from "./sqlite-connection.ts";
import { findWriteRefusal, requireWritable, toInstallationError } from "./write-refusal.ts";

/** Changes read little, and most of it is in the pages that the changes before them used. */
const writeCacheKiB = 16 * 1024;
/** A health check reads a few pages and then drops them. */
const probeCacheKiB = 256;

type SqliteLocation = DatabaseLocation & Pick<EngineOptions, "mustExist" | "mustBeWritable">;

/** The connections to a database file that read it: one for requests, and one for health checks. */
export type Readers = Pick<OpenEngine, "read" | "probe" | "refreshProbe" | "close">;

/**
 * Opens a database file to read it. Unless the file must exist, creates it and its folder if they do not exist, with
 * access for this user only.
 *
 * @throws InstallationError `invalid_url` if the URL is not valid, `no_database` or `foreign_database` if the file is not a
 *   database of Siteward, or `read_only` or `cannot_open` that says what is wrong with the file
 */
export async function openSqliteFile(location: SqliteLocation): Promise<Readers> {
  const path = pathOf(location);
  try {
    return await openFile(path, location);
  } catch (error) {
    throw toInstallationError(path, error);
  }
}

async function openFile(path: string, { mustExist = false, mustBeWritable }: SqliteLocation): Promise<Readers> {
  await findOrCreate(path, mustExist);
  // Before SQLite creates the files next to it with its permissions.
  if (mustBeWritable) requireWritable(path);
  // The first connection checks the file before it changes anything in it.
  const first = await connectFirst(path, (database) => requireOwnFile(database, path, { mustExist }));
  const [forSnapshots, forChecks] = [connect(path), connect(path)];
  first.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  for (const connection of [first, forSnapshots, forChecks]) connection.exec("pragma query_only = on");
  forChecks.exec(`pragma cache_size = -${probeCacheKiB}`);
  // SQLite writes its log next to the file that a link leads to.
  const files = [path, `${await realpath(path)}-wal`];
  const opened = await Promise.all(files.map((file) => stat(file)));
  const [read, probe] = [new SqliteReader(first, forSnapshots), new SqliteReader(forChecks)];
  return {
    read,
    probe,
    async refreshProbe() {
      for (const [index, file] of files.entries()) {
        const { dev, ino } = await stat(file);
        // Every write would be lost when the program ends.
        if (dev !== opened[index]?.dev || ino !== opened[index]?.ino)
          throw new Error(`The file at ${file} is not the file that was opened.`);
      }
      probe.dropCachedPages();
    },
    async close() {
      await probe.close();
      await read.close();
    },
  };
}

/**
 * Opens the connection that writes, to a file that was opened before.
 *
 * @throws AppError `database_read_only` if the system does not let this process write to the file. If SQLite opened it then, it would
 *   give the empty log next to it the same permissions, which stay when those of the file change back.
 */
export function openToWrite(location: DatabaseLocation): DatabaseSync {
  const path = pathOf(location);
  const refusal = findWriteRefusal(path);
  if (refusal !== undefined) throw databaseReadOnly(new Error(refusal));
  const write = connect(path);
  // Waiting inside SQLite would block the process. `WriteLock` waits for other writers. `SqliteWriter` moves the log.
  write.exec(`pragma busy_timeout = 0; pragma wal_autocheckpoint = 0; pragma cache_size = -${writeCacheKiB}`);
  return write;
}

/** Opens a database of Siteward that exists. @throws InstallationError that says what is wrong with the file */
export async function openOwnFile<Opened>(
  path: string,
  open: () => DatabaseSync,
  use: (database: DatabaseSync) => Opened,
): Promise<Opened> {
  let database: DatabaseSync | undefined;
  try {
    await findOrCreate(path, true);
    database = open();
    requireOwnFile(database, path, { mustExist: true });
    return use(database);
  } catch (error) {
    database?.close();
    throw toInstallationError(path, error);
  }
}

/**
 * Creates the file before SQLite does, which would let every user read it. SQLite gives its other files the same
 * permissions.
 *
 * @throws InstallationError `no_database` if the file must exist, and does not
 */
async function findOrCreate(path: string, mustExist: boolean): Promise<void> {
  const fault = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  // Closing a file ends all locks that this process has on it (POSIX), also those of its open connections.
  if (!(fault instanceof Error)) return;
  // If the file is moved while a program uses it, its log stays behind. A new, empty database at the same path would
  // adopt the log and lose its content.
  if ((await statIfExists(`${path}-wal`)) !== undefined) {
    const advice = "Restore the file, or delete the log.";
    throw new Error(`the file is missing, but its write-ahead log ${path}-wal exists. ${advice}`);
  }
  if (fault.code !== "ENOENT") throw fault;
  if (mustExist) throw new InstallationError("no_database", `The database file ${path} does not exist.`, fault);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  await file.close();
}

/** Undefined if there is no such file, or if this user may not enter its folder. */
export function statIfExists(path: string) {
  return stat(path).catch(() => undefined);
}

/**
 * Returns the path in a URL of the form `file:relative/path`, `file:/absolute/path` or `file:///absolute/path`, in
 * full, because the operator may be in another folder than they think. It may contain symbolic links.
 *
 * @throws InstallationError `invalid_url` if the URL is not valid
 */
function pathOf({ databaseUrl, setting }: DatabaseLocation): string {
  const refuse = (value: string, fault: string) => {
    const message = `${setting} is ${value}, ${fault}. Use a URL such as "file:./data/siteward.db".`;
    return new InstallationError("invalid_url", message);
  };
  const path = databaseUrl.slice("file:".length);
  if (path === "") throw refuse('"file:"', "which has no file path");
  if (/[?#]/.test(path)) throw refuse(databaseUrl, 'which contains a "?" or "#"');
  if (path.includes(":memory:")) throw refuse(databaseUrl, "which is an in-memory database. Siteward needs a file");
  if (!path.startsWith("//")) return resolve(path);
  if (!path.startsWith("///")) throw refuse(databaseUrl, "which contains a host name");
  try {
    return fileURLToPath(databaseUrl);
  } catch {
    throw refuse(databaseUrl, "whose percent-encoding is not valid");
  }
}

/**
 * Returns the path of a database file in full, whether the file exists or not. SQLite follows symbolic links and writes
 * its other files next to the file itself, so the path has none.
 */
export async function locateSqlite(location: DatabaseLocation): Promise<FilePlace> {
  const name = pathOf(location);
  const inFolder = async () => join(await realpath(dirname(name)).catch(() => dirname(name)), basename(name));
  return { path: await realpath(name).catch(inFolder), name };
}

export function replicasUnsupported({ setting }: DatabaseLocation): InstallationError {
  return new InstallationError("invalid_url", `${setting} needs a PostgreSQL database, but the database is a file.`);
}
