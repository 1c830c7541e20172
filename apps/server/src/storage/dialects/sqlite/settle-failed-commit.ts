import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { storageOutcomeUnknown } from "../../storage-error.ts";
import { isSqliteBusy, translateSqliteError } from "./sqlite-error.ts";

/** Other processes hold the write lock for about a millisecond each; this bounds how long an answer waits for them. */
const maxOverwriteAttempts = 20;
const overwritePauseMs = 5;

/**
 * Decides what to throw after COMMIT failed on the connection.
 *
 * SQLite writes the frames of a commit to the write-ahead log before it syncs them. If the sync fails, or anything after
 * it, nobody sees the change, but its frames are still in the log: recovery after a crash finds them and the change is
 * back. The next commit writes over them, so a commit that changes nothing makes the failure final. If that fails too,
 * the outcome is unknown.
 */
export async function settleFailedCommit(database: DatabaseSync, error: unknown): Promise<unknown> {
  // SQLite ends the transaction if it fails after it began to write. Before that (busy, a constraint) it stays open.
  if (database.isTransaction) return translateSqliteError(error);
  return (await overwriteCommit(database)) ? translateSqliteError(error) : storageOutcomeUnknown(error);
}

/** Commits one frame over the first frame of the failed commit; the checksums of the frames after it no longer match. */
async function overwriteCommit(database: DatabaseSync): Promise<boolean> {
  for (let attempt = 1; attempt <= maxOverwriteAttempts; attempt += 1) {
    try {
      commitNothing(database);
      return true;
    } catch (error) {
      endTransaction(database);
      if (!isSqliteBusy(translateSqliteError(error))) return false;
    }
    await setTimeout(overwritePauseMs);
  }
  return false;
}

/** Setting the version to what it is writes the first page of the database, although nothing in it differs. */
function commitNothing(database: DatabaseSync): void {
  database.exec("begin immediate");
  const version = database.prepare("pragma user_version").get()?.["user_version"];
  database.exec(`pragma user_version = ${Number(version)}`);
  database.exec("commit");
}

function endTransaction(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec("rollback");
  } catch {
    // The commit that failed is what the client is told about.
  }
}
