import { access, constants, mkdir, open, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { databaseReadOnly } from "@siteward/service";
import { InstallationError } from "../../interface/installation-error.ts";
import type { DatabaseLocation, DialectOptions } from "../dialect.ts";
import { busyTimeoutMs, connect, connectFirst } from "./connect-sqlite.ts";
import { findWriteRefusal } from "./find-write-refusal.ts";
import { isRefusedAccess, toInstallationError } from "./opening-error.ts";
import { requireOwnFile } from "./require-own-file.ts";
import { readSqliteUrl } from "./sqlite-url.ts";
import { tryWrite } from "./try-write.ts";

/** Changes read little, and most of it is in the pages that the changes before them used. */
const writeCacheKiB = 16 * 1024;
/** A health check reads a few pages and then drops them. */
const probeCacheKiB = 256;

/** Where the file is, and whether it must be a database of Siteward already, and be writable. False by default. */
type SqliteLocation = DatabaseLocation & Partial<Pick<DialectOptions, "mustExist" | "mustBeWritable">>;

/** The connections to a database file. */
interface SqliteFile {
  readonly read: DatabaseSync;
  /** Reads too, for snapshots. */
  readonly snapshot: DatabaseSync;
  /** For health checks. It has its own small cache. */
  readonly probe: DatabaseSync;
  /** Whether the log was not empty when the file was opened. */
  readonly hasLeftovers: boolean;
  /** @throws Error if the file was deleted or replaced, so that every write would be lost when the program ends */
  requireSameFile(): Promise<void>;
}

/**
 * Opens a database file three times to read it: for queries, for snapshots, and for health checks, which do not empty the caches of the
 * others. Unless the file must exist, creates it and its folder if
 * they do not exist, with access for this user only.
 *
 * @throws InstallationError `invalid_url` if the URL is not valid, `no_database` or `foreign_database` if the file is not a
 *   database of Siteward, or `read_only` or `cannot_open` that says what is wrong with the file
 */
export async function openSqliteFile({
  mustExist = false,
  mustBeWritable = false,
  ...location
}: SqliteLocation): Promise<SqliteFile> {
  const path = pathOf(location);
  try {
    await (mustExist ? requireFile(path) : createFile(path));
    // Before SQLite creates the files next to it with its permissions.
    if (mustBeWritable) await access(path, constants.W_OK);
    const hasLeftovers = (await sizeOf(`${path}-wal`)) > 0;
    // The first connection checks the file before it changes anything in it.
    const read = await connectFirst(path, (database) => requireOwnFile(database, path, { mustExist }));
    if (mustBeWritable) requireWritable(read);
    read.exec("pragma query_only = on");
    const openRead = () => {
      const connection = connect(path);
      connection.exec("pragma query_only = on");
      return connection;
    };
    const [snapshot, probe] = [openRead(), openRead()];
    probe.exec(`pragma cache_size = -${probeCacheKiB}`);
    const opened = await stat(path);
    return {
      read,
      snapshot,
      probe,
      hasLeftovers,
      async requireSameFile() {
        const { dev, ino } = await stat(path);
        const isSame = dev === opened.dev && ino === opened.ino;
        if (!isSame) throw new Error(`The file at ${path} is not the file that was opened.`);
      },
    };
  } catch (error) {
    throw toInstallationError(path, error);
  }
}

/** Returns the path in full, because the operator may be in another folder than they think. */
function pathOf(location: DatabaseLocation): string {
  return resolve(readSqliteUrl(location));
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
  if (refusal !== undefined) throw databaseReadOnly(new Error(refusal.reason));
  const write = connect(path);
  // Waiting inside SQLite would block the process. `WriteLock` waits for other writers. `shortenLog` moves the log.
  write.exec(`pragma busy_timeout = 0; pragma wal_autocheckpoint = 0; pragma cache_size = -${writeCacheKiB}`);
  return write;
}

/** Checks that the file accepts changes. Closes its connection if it does not. */
function requireWritable(database: DatabaseSync): void {
  // Another process may be writing. Then nothing is checked.
  database.exec("pragma busy_timeout = 0");
  try {
    tryWrite(database);
  } catch (error) {
    // Any other failure may pass, such as that of a full disk. The changes report it.
    if (isRefusedAccess(error)) {
      database.close();
      throw error;
    }
  }
  database.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (file) => file.size,
    () => 0,
  );
}

/** @throws InstallationError `no_database` if the file does not exist */
export async function requireFile(path: string): Promise<void> {
  await refuseLogWithoutDatabase(path);
  await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new InstallationError("no_database", `The database file ${path} does not exist.`, error);
  });
}

/** Creates the file first, because SQLite would let every user read it. SQLite gives its other files the same permissions. */
async function createFile(path: string): Promise<void> {
  await refuseLogWithoutDatabase(path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  await file.close();
}

/**
 * If the file is moved while a program uses it, its log stays behind. A new, empty database at the same path would adopt the
 * log and lose its content.
 */
async function refuseLogWithoutDatabase(path: string): Promise<void> {
  if ((await exists(`${path}-wal`)) && !(await exists(path))) {
    throw new Error(
      `the file is missing, but its write-ahead log ${path}-wal exists. Restore the file, or delete the log.`,
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
