import { access, constants, mkdir, open, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { isStorageReadOnly, StorageError } from "@siteward/service";
import { InstallationError } from "../../interface/installation-error.ts";
import type { DatabaseLocation, DialectOptions } from "../dialect.ts";
import { describeWriteRefusal, findWriteRefusal, type WriteRefusal } from "./find-write-refusal.ts";
import { requireOwnFile } from "./require-own-file.ts";
import { requireSafeSqlite } from "./require-safe-sqlite.ts";
import { isSqliteFileError, translateSqliteError } from "./sqlite-error.ts";
import { readSqliteUrl } from "./sqlite-url.ts";
import { tryWrite } from "./try-write.ts";

const busyTimeoutMs = 5000;
const cacheKiB = 32 * 1024;
/** Changes read little, and most of it is in the pages that the changes before them used. */
const writeCacheKiB = 16 * 1024;
/** A health check reads a few pages and then drops them. */
const probeCacheKiB = 256;
/** The size to which SQLite truncates the write-ahead log after it had to grow. */
const maxIdleLogBytes = 64 * 1024 * 1024;

/** Where the file is, and whether it must be a database of Siteward already, and be writable. False by default. */
type SqliteLocation = DatabaseLocation & Partial<Pick<DialectOptions, "mustExist" | "mustBeWritable">>;

/** The connections to a database file. */
interface SqliteFile {
  readonly read: DatabaseSync;
  /** Opens the connection that writes. */
  openWrite(): DatabaseSync;
  /** Returns why the system does not let this process write to the file. */
  readonly findWriteRefusal: (options: { readonly touches: boolean }) => WriteRefusal | undefined;
  /** For health checks. It has its own small cache. */
  readonly probe: DatabaseSync;
  /** Whether the log was not empty when the file was opened. */
  readonly hasLeftovers: boolean;
  /** @throws Error if the file was deleted or replaced, so that every write would be lost when the program ends */
  requireSameFile(): Promise<void>;
}

/**
 * Opens a database file three times: one connection reads committed data while another is in a write transaction, and health
 * checks on the third do not empty the caches of the other two. Unless the file must exist, creates it and its folder if
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
  // In full, because the operator may be in another folder than they think.
  const path = resolve(readSqliteUrl(location));
  try {
    await (mustExist ? requireFile(path) : createFile(path));
    // Before SQLite creates the files next to it with its permissions.
    if (mustBeWritable) await access(path, constants.W_OK);
    const hasLeftovers = (await sizeOf(`${path}-wal`)) > 0;
    // The first connection checks the file before it changes anything in it.
    const read = connect(path, (database) => requireOwnFile(database, path, { mustExist }));
    if (mustBeWritable) requireWritable(read);
    read.exec("pragma query_only = on");
    const probe = connect(path);
    probe.exec(`pragma query_only = on; pragma cache_size = -${probeCacheKiB}`);
    const opened = await stat(path);
    return {
      read,
      probe,
      hasLeftovers,
      openWrite() {
        const write = connect(path);
        // Waiting inside SQLite would block the process. `WriteLock` waits for other writers. `shortenLog` moves the log.
        write.exec(`pragma busy_timeout = 0; pragma wal_autocheckpoint = 0; pragma cache_size = -${writeCacheKiB}`);
        return write;
      },
      findWriteRefusal: (options) => findWriteRefusal(path, options),
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

/** Says what is wrong with a file that could not be opened. */
export function toInstallationError(path: string, error: unknown): InstallationError {
  if (error instanceof InstallationError) return error;
  const refusal = isRefusedAccess(error) ? findWriteRefusal(path) : undefined;
  if (refusal !== undefined) {
    return new InstallationError("read_only", describeWriteRefusal(path, refusal), error);
  }
  const cause = error instanceof StorageError ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new InstallationError("cannot_open", `Cannot open the database file ${path}: ${reason}`, error);
}

/** Whether the system may have refused access to a file or a folder. SQLite and Node.js do not say to which. */
function isRefusedAccess(error: unknown): boolean {
  const isRefusedByNode =
    error instanceof Error && "code" in error && /^(EACCES|EPERM|EROFS)$/.test(String(error.code));
  return isRefusedByNode || isStorageReadOnly(translateSqliteError(error)) || isSqliteFileError(error);
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

function connect(path: string, check?: (database: DatabaseSync) => void): DatabaseSync {
  // SQLite never creates the file, which everybody could read.
  const database = new DatabaseSync(existingUrl(path), { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    requireSafeSqlite(String(database.prepare("select sqlite_version() as version").get()?.["version"]));
    check?.(database);
    requireWriteAheadLog(database);
    database.exec(`
      pragma synchronous = full;
      pragma secure_delete = on;
      pragma cache_size = -${cacheKiB};
      pragma journal_size_limit = ${maxIdleLogBytes};
      pragma temp_store = memory;
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Returns the URL of a file that SQLite does not create if it does not exist. */
function existingUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("mode", "rw");
  return url;
}

function requireWriteAheadLog(database: DatabaseSync): void {
  const mode = database.prepare("pragma journal_mode = wal").get()?.["journal_mode"];
  if (mode !== "wal") throw new Error("its file system cannot share memory between processes. Use a local disk.");
}
