import type { DatabaseSync } from "node:sqlite";
import type { CopyReport } from "../../file-engine.ts";
import { existingUrl, openExisting } from "../connect-sqlite.ts";
import { requireOwnFile } from "../require-own-file.ts";

/**
 * Copies a database into an empty file, as it is when the copy begins, while others write to it. SQLite's function for backups would
 * begin again after each change of another process: next to 5 changes a second, it did not end. This one took 1.4 s for 196 MB next to
 * a busy writer, which it does not hold up.
 */
export function copySqliteFile(path: string, copy: { readonly path: string; readonly madeAt: Date }): CopyReport {
  const source = openExisting(path);
  try {
    requireOwnFile(source, path, { mustExist: true });
    const before = readDataVersion(source);
    const counts = countRows(source);
    // SQLite never creates the copy, which everybody could read: a signal may just have removed it.
    source.prepare("vacuum into ?").run(existingUrl(copy.path).href);
    // It changes if another connection has changed the database.
    const isSame = readDataVersion(source) === before;
    stamp(copy.path, copy.madeAt);
    return { counts: isSame ? counts : undefined };
  } finally {
    source.close();
  }
}

/** Siteward does not use this number of a database for anything else. It has 32 bits: enough for the seconds until 2106. */
function stamp(path: string, madeAt: Date): void {
  const copy = openExisting(path);
  try {
    // The copy is not complete yet, so it needs no journal.
    copy.exec(`pragma journal_mode = memory; pragma user_version = ${Math.floor(madeAt.getTime() / 1000) | 0}`);
  } finally {
    copy.close();
  }
}

/** Returns when a copy was made. Undefined if SQLite alone has made it. */
export function readStamp(copy: DatabaseSync): Date | undefined {
  const seconds = Number(copy.prepare("pragma user_version").get()?.["user_version"]);
  return seconds === 0 ? undefined : new Date((seconds >>> 0) * 1000);
}

function readDataVersion(database: DatabaseSync): unknown {
  return database.prepare("pragma data_version").get()?.["data_version"];
}

function countRows(database: DatabaseSync): { accounts: number; websites: number } {
  const count = (table: string) => Number(database.prepare(`select count(*) as count from ${table}`).get()?.["count"]);
  return { accounts: count("accounts"), websites: count("websites") };
}
