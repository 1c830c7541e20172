import { stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { requireSafeSqlite } from "./require-safe-sqlite.ts";
import { isSqliteBusy, translateSqliteError } from "./sqlite-error.ts";

export const busyTimeoutMs = 5000;
const firstPauseMs = 20;
const cacheKiB = 32 * 1024;
/** The size to which SQLite truncates the write-ahead log after it had to grow. */
const maxIdleLogBytes = 64 * 1024 * 1024;

interface ConnectOptions {
  /** Called before anything in the file is changed. */
  readonly check?: (database: DatabaseSync) => void;
  readonly timeoutMs?: number;
}

/**
 * Opens the first connection of a process to a file. While others have the file to themselves, such as a restore, it opens the file anew
 * for each attempt, and again if the file was replaced in the meantime: on the old file, it would write the log of the new one.
 */
export async function connectFirst(path: string, check: (database: DatabaseSync) => void): Promise<DatabaseSync> {
  for (const endMs = performance.now() + busyTimeoutMs; ; ) {
    const isLast = performance.now() > endMs;
    const before = await stat(path);
    const database = connectAtOnce(path, { check, isLast });
    const after = await stat(path);
    if (database !== undefined && before.ino === after.ino && before.dev === after.dev) return database;
    database?.close();
    if (isLast) throw new Error("it was replaced again and again while it was opened.");
    await sleep(firstPauseMs);
  }
}

/** Undefined if others have the file to themselves. On the last attempt, that is an error. */
function connectAtOnce(
  path: string,
  { isLast, check }: { readonly isLast: boolean; readonly check: (database: DatabaseSync) => void },
): DatabaseSync | undefined {
  try {
    const database = connect(path, { check, timeoutMs: 0 });
    database.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
    return database;
  } catch (error) {
    if (!isLast && isSqliteBusy(translateSqliteError(error))) return undefined;
    throw error;
  }
}

/** Opens a connection that waits for others. */
export function connect(path: string, { check, timeoutMs = busyTimeoutMs }: ConnectOptions = {}): DatabaseSync {
  const database = openExisting(path, timeoutMs);
  try {
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

/**
 * Opens a file that exists, and does nothing with it.
 *
 * @throws Error if this version of SQLite can corrupt it
 */
export function openExisting(path: string, timeoutMs = busyTimeoutMs): DatabaseSync {
  requireSafeEngine();
  // SQLite never creates the file, which everybody could read.
  return new DatabaseSync(existingUrl(path), { timeout: timeoutMs, enableForeignKeyConstraints: true });
}

/**
 * Asks no connection to a file: SQLite would read the file for it.
 *
 * @throws Error if this version of SQLite can corrupt a file
 */
export function requireSafeEngine(): void {
  using memory = new DatabaseSync(":memory:");
  requireSafeSqlite(String(memory.prepare("select sqlite_version() as version").get()?.["version"]));
}

/** Returns the URL of a file that SQLite does not create if it does not exist. */
export function existingUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("mode", "rw");
  return url;
}

function requireWriteAheadLog(database: DatabaseSync): void {
  const mode = database.prepare("pragma journal_mode = wal").get()?.["journal_mode"];
  if (mode !== "wal") throw new Error("its file system cannot share memory between processes. Use a local disk.");
}
