import type { DatabaseSync } from "node:sqlite";
import { outcomeUnknown } from "@siteward/service";
import { isSqliteBusy, translateSqliteError } from "./sqlite-error.ts";
import { writeFirstPage } from "./write-first-page.ts";

/** Other processes keep the write lock for about a millisecond each. This limits how long a response waits for them. */
const maxOverwriteAttempts = 20;
const overwritePauseMs = 5;

/**
 * Returns the error to throw after COMMIT has failed on the connection.
 *
 * SQLite writes the frames of a commit to the write-ahead log before it syncs them. If the sync or a later step fails, no
 * connection sees the change, but its frames are still in the log: after a crash, recovery finds them and restores the change.
 * The next commit overwrites them, so a commit that changes nothing makes the failure final. If that commit fails too, the
 * outcome is unknown.
 */
export function settleFailedCommit(database: DatabaseSync, error: unknown): unknown {
  // SQLite ends the transaction if it fails after the first write to the log. If it fails earlier (busy, a constraint), it
  // stays open.
  if (database.isTransaction) return translateSqliteError(error);
  return overwriteCommit(database) ? translateSqliteError(error) : outcomeUnknown(error);
}

/**
 * Overwrites the first frame of the failed commit with a commit of one frame. The checksums of the later frames then no
 * longer match.
 */
function overwriteCommit(database: DatabaseSync): boolean {
  for (let attempt = 1; attempt <= maxOverwriteAttempts; attempt += 1) {
    try {
      commitNothing(database);
      return true;
    } catch (error) {
      endTransaction(database);
      if (!isSqliteBusy(translateSqliteError(error))) return false;
    }
    Atomics.wait(sleeper, 0, 0, overwritePauseMs);
  }
  return false;
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

function commitNothing(database: DatabaseSync): void {
  writeFirstPage(database);
  database.exec("commit");
}

function endTransaction(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec("rollback");
  } catch {
    // The client gets the error of the failed commit, not this one.
  }
}
