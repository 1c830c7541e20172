import { stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { InstallationError } from "../interface/installation-error.ts";
import { schemaMigrations } from "../tables/schema.ts";
import { columnNames } from "../tables/table.ts";
import { isSqliteBusy, translateSqliteError } from "./sqlite-error.ts";

/** How long SQLite waits for others, unless a connection says otherwise. */
export const busyTimeoutMs = 5000;
const openingPauseMs = 20;
const cacheKiB = 32 * 1024;
/** The size to which SQLite truncates the write-ahead log after it had to grow. */
const maxIdleLogBytes = 64 * 1024 * 1024;
/** Earlier versions can corrupt a database that two connections write to: https://sqlite.org/wal.html#walresetbug */
const minVersion = "3.51.3";

/**
 * Opens the first connection of a process to a file. While others have the file to themselves, such as a restore, it
 * opens the file anew for each attempt, and again if the file was replaced in the meantime: on the old file, it would
 * write the log of the new one, or SQLite calls it read-only. The connection itself waits for nobody.
 */
export async function connectFirst(path: string, check: (database: DatabaseSync) => void): Promise<DatabaseSync> {
  for (const endMs = performance.now() + busyTimeoutMs; ; await sleep(openingPauseMs)) {
    const isLast = performance.now() > endMs;
    const before = await stat(path);
    const [opened] = await Promise.allSettled([(async () => connect(path, check, 0))()]);
    const { ino, dev } = await stat(path);
    const isSame = ino === before.ino && dev === before.dev;
    if (opened.status === "rejected") {
      if (isSame && (isLast || !isSqliteBusy(translateSqliteError(opened.reason)))) throw opened.reason;
      continue;
    }
    if (isSame) return opened.value;
    opened.value.close();
    if (isLast) throw new Error("it was replaced again and again while it was opened.");
  }
}

/** Opens a connection that waits for others. `check` is called before anything in the file is changed. */
export function connect(path: string, check?: (database: DatabaseSync) => void, timeoutMs?: number): DatabaseSync {
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

/** Opens a file that exists, and does nothing with it. @throws Error if this version of SQLite can corrupt it */
export function openExisting(path: string, timeoutMs = busyTimeoutMs): DatabaseSync {
  requireSafeEngine();
  // SQLite never creates the file, which everybody could read.
  return new DatabaseSync(existingUrl(path), { timeout: timeoutMs, enableForeignKeyConstraints: true });
}

/** Returns the URL of a file that SQLite does not create. */
export function existingUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("mode", "rw");
  return url;
}

/** @throws Error that says which versions are safe, if this one is not */
export function requireSafeEngine(version: string = readVersion()): void {
  if (version.localeCompare(minVersion, "en", { numeric: true }) >= 0) return;
  throw new Error(
    `This Node.js contains SQLite ${version}, which can damage a database. ` +
      `Use a Node.js with SQLite ${minVersion} or later.`,
  );
}

/** Asks no connection to a file: SQLite would read the file for it. */
function readVersion(): string {
  using memory = new DatabaseSync(":memory:");
  return String(memory.prepare("select sqlite_version() as version").get()?.["version"]);
}

function requireWriteAheadLog(database: DatabaseSync): void {
  const mode = database.prepare("pragma journal_mode = wal").get()?.["journal_mode"];
  if (mode !== "wal") throw new Error("its file system cannot share memory between processes. Use a local disk.");
}

/**
 * Checks that an existing file is empty or a database of Siteward, and changes nothing in it. The connection is not
 * read-only: on a file in WAL mode, SQLite would then leave its other two files behind.
 *
 * @param options.mustExist whether an empty file is refused too
 * @throws InstallationError `foreign_database` or `no_database`
 */
export function requireOwnFile(database: DatabaseSync, path: string, options: { readonly mustExist: boolean }): void {
  const table = database.prepare("select name from pragma_table_info(?)").all(schemaMigrations.name);
  const columns = table.map(({ name }) => name);
  if (columnNames(schemaMigrations).every((name) => columns.includes(name))) return;
  // Programs set these two numbers to mark a file as theirs, also before they create a table.
  const facts = database.prepare(
    "select application_id or user_version or exists (select 1 from sqlite_master) " +
      "as used from pragma_application_id, pragma_user_version",
  );
  if (facts.get()?.["used"] !== 0)
    throw new InstallationError("foreign_database", `The file ${path} is a database of another program.`);
  if (options.mustExist) throw new InstallationError("no_database", `The database file ${path} is empty.`);
}

/** Begins a transaction that sets the version to its current value, which writes the first page and changes nothing. */
export function writeFirstPage(database: DatabaseSync): void {
  database.exec("begin immediate");
  const version = database.prepare("pragma user_version").get()?.["user_version"];
  database.exec(`pragma user_version = ${Number(version)}`);
}
