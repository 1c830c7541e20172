import type { DatabaseSync } from "node:sqlite";
import { InstallationError } from "../../interface/installation-error.ts";
import type { FileLock } from "../file-engine.ts";
import { openExisting } from "./connect-sqlite.ts";
import { findWriteRefusal } from "./find-write-refusal.ts";
import { requireOwnFile } from "./require-own-file.ts";
import { isSqliteBusy, isSqliteDamage, isSqliteFileError, translateSqliteError } from "./sqlite-error.ts";
import { SqliteReader } from "./sqlite-reader.ts";

/**
 * Locks a database file. Every connection to a file with a write-ahead log keeps a shared lock on it, also while it
 * does nothing, so this lock is refused as long as there is one. It is held until the release, also if the file gets
 * another name.
 */
export function lockFile(path: string, options: { readonly movesLog: boolean }): FileLock {
  const refusal = findWriteRefusal(path);
  if (refusal !== undefined) {
    throw new InstallationError("read_only", `Cannot lock ${path}: ${refusal.reason}. ${refusal.remedy}`);
  }
  const database = openExisting(path, 0);
  try {
    lock(database, path, options);
    return { damage: undefined, read: new SqliteReader(database), [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    if (isSqliteBusy(translateSqliteError(error))) {
      throw new InstallationError("in_use", `The database ${path} is open in another process.`, error);
    }
    if (!isSqliteDamage(error) && !isSqliteFileError(error)) throw error;
    const damage = error instanceof Error ? error.message : String(error);
    return { damage, read: undefined, [Symbol.dispose]: () => undefined };
  }
}

/**
 * The first read locks the file, before anything in it is looked at. Leaving the write-ahead log moves all of it into
 * the file. Then SQLite no longer has its path, so that it cannot delete the log of a new database there when it closes
 * this one.
 */
function lock(database: DatabaseSync, path: string, { movesLog }: { readonly movesLog: boolean }): void {
  database.exec("pragma locking_mode = exclusive");
  requireOwnFile(database, path, { mustExist: false });
  if (movesLog) {
    const mode = database.prepare("pragma journal_mode = memory").get()?.["journal_mode"];
    if (mode !== "memory") throw new Error(`SQLite did not move the log of ${path} into the file.`);
  }
  // A file that had no log is locked only now.
  database.exec("begin exclusive; commit");
}
