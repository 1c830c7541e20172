import type { DatabaseSync } from "node:sqlite";
import type { FileLock, MovableFiles } from "../engine/movable-files.ts";
import { InstallationError, reasonOf } from "../interface/installation-error.ts";
import { existingUrl, openExisting, requireOwnFile } from "./connect-sqlite.ts";
import { locateSqlite, openOwnFile } from "./open-sqlite.ts";
import { SqliteConnection, SqliteReader } from "./sqlite-connection.ts";
import { isSqliteBusy, isSqliteDamage, isSqliteFileError, translateSqliteError } from "./sqlite-error.ts";
import { sqliteWebsiteSearch } from "./sqlite-website-search.ts";
import { requireWritable, toInstallationError } from "./write-refusal.ts";

const maxFaults = 10;
const fillCacheKiB = 64 * 1024;

/** Files of SQLite, for backups and copies. */
export const movableSqliteFiles: MovableFiles = {
  websiteSearch: sqliteWebsiteSearch,
  suffixes: ["-wal", "-shm", "-journal"],
  locate: locateSqlite,
  open: (path) => openOwnFile(path, () => openExisting(path), toOpenFile),
  findDamage(copy) {
    try {
      using database = openExisting(copy);
      const integrity = database.prepare(`pragma integrity_check(${maxFaults})`).all();
      const lines = integrity.map((row) => String(row["integrity_check"])).filter((line) => line !== "ok");
      const keys = database.prepare('select "table" from pragma_foreign_key_check limit ?').all(maxFaults);
      return [...lines, ...keys.map((row) => `a row of ${row["table"]} refers to a row that is missing`)];
    } catch (error) {
      // A file that is no database cannot be searched.
      return [reasonOf(error).replace(/\.$/, "")];
    }
  },
  prepare: (copy) => execute(copy, "pragma user_version = 0; pragma journal_mode = wal"),
  async fill(path, work) {
    using database = openExisting(path);
    // Nobody needs a journal or a sync before the file has its name.
    database.exec(`
      pragma journal_mode = off;
      pragma synchronous = off;
      pragma temp_store = memory;
      pragma cache_size = -${fillCacheKiB};
    `);
    const connection = new SqliteConnection(database);
    connection.run("begin");
    const result = await work({ execute: async (query) => connection.execute(query) });
    connection.run("commit");
    return result;
  },
  lock(path, options) {
    try {
      return lockFile(path, options.movesLog);
    } catch (error) {
      throw toInstallationError(path, error);
    }
  },
};

function toOpenFile(database: DatabaseSync): Awaited<ReturnType<MovableFiles["open"]>> {
  const read = (name: string) => Number(database.prepare(`pragma ${name}`).get()?.[name]);
  const stamp = read("user_version");
  return {
    connection: new SqliteReader(database),
    bytes: (read("page_count") - read("freelist_count")) * read("page_size"),
    madeAt: stamp === 0 ? undefined : new Date((stamp >>> 0) * 1000),
    /**
     * SQLite's function for backups would begin again after each change of another process: next to 5 changes a second,
     * it did not end. This one took 1.4 s for 196 MB next to a busy writer, which it does not hold up.
     */
    copyInto(path, madeAt) {
      // SQLite never creates the copy, which everybody could read.
      database.prepare("vacuum into ?").run(existingUrl(path).href);
      // Siteward does not use this number for anything else. It has 32 bits: enough for the seconds until 2106. The
      // copy is not complete yet, so it needs no journal.
      execute(path, `pragma journal_mode = memory; pragma user_version = ${Math.floor(madeAt.getTime() / 1000) | 0}`);
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function execute(path: string, statements: string): void {
  using database = openExisting(path);
  database.exec(statements);
}

/**
 * Locks a database file. Every connection to a file with a write-ahead log keeps a shared lock on it, also while it
 * does nothing, so this lock is refused as long as there is one. It is held until the release, also if the file gets
 * another name.
 */
function lockFile(path: string, movesLog: boolean): FileLock {
  requireWritable(path);
  const database = openExisting(path, 0);
  try {
    lock(database, path, movesLog);
    return { damage: undefined, connection: new SqliteReader(database), [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    if (isSqliteBusy(translateSqliteError(error)))
      throw new InstallationError("in_use", `The database ${path} is open in another process.`, error);
    if (!isSqliteDamage(error) && !isSqliteFileError(error)) throw error;
    return { damage: reasonOf(error), connection: undefined, [Symbol.dispose]: () => undefined };
  }
}

/**
 * The first read locks the file, before anything in it is looked at. Leaving the write-ahead log moves all of it into
 * the file. Then SQLite no longer has its path, so that it cannot delete the log of a new database there when it closes
 * this one.
 */
function lock(database: DatabaseSync, path: string, movesLog: boolean): void {
  database.exec("pragma locking_mode = exclusive");
  requireOwnFile(database, path, { mustExist: false });
  if (movesLog) {
    const mode = database.prepare("pragma journal_mode = memory").get()?.["journal_mode"];
    if (mode !== "memory") throw new Error(`SQLite did not move the log of ${path} into the file.`);
  }
  // A file that had no log is locked only now.
  database.exec("begin exclusive; commit");
}
