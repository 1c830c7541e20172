import type { DatabaseSync } from "node:sqlite";
import { AppError, outcomeUnknown } from "@siteward/service";
import { ownQuery, type SqlQuery } from "../engine/connection.ts";
import { sql } from "../engine/statement.ts";
import { writeFirstPage } from "./connect-sqlite.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { isSqliteBusy, translateSqliteError } from "./sqlite-error.ts";
import { blockThread } from "./write-lock.ts";

/** Other processes keep the write lock for about a millisecond each. This limits how long a response waits for them. */
const maxOverwriteAttempts = 20;
const overwritePauseMs = 5;
/** SQLite moves the log at the same bound by default. These are 4 MB. */
const maxLogPages = 1_000;

export function commit(
  database: DatabaseSync,
  connection: SqliteConnection,
  lastStatements: readonly SqlQuery[],
): void {
  for (const statement of lastStatements) connection.execute(statement);
  try {
    connection.run("commit");
  } catch (error) {
    throw settleFailedCommit(database, error);
  }
  shortenLog(connection);
}

/**
 * Returns the error to throw after COMMIT has failed on the connection.
 *
 * SQLite writes the frames of a commit to the write-ahead log before it syncs them. If the sync or a later step fails,
 * no connection sees the change, but its frames are still in the log: after a crash, recovery finds them and restores
 * the change. The next commit overwrites them, so a commit that changes nothing makes the failure final. If that commit
 * fails too, the outcome is unknown.
 */
function settleFailedCommit(database: DatabaseSync, error: unknown): unknown {
  // SQLite ends the transaction if it fails after the first write to the log. If it fails earlier (busy, a constraint),
  // it stays open.
  if (database.isTransaction || overwriteCommit(database)) return error;
  return outcomeUnknown(error instanceof AppError ? error.cause : error);
}

/**
 * Overwrites the first frame of the failed commit with a commit of one frame. The checksums of the later frames then no
 * longer match.
 */
function overwriteCommit(database: DatabaseSync): boolean {
  for (let attempt = 1; attempt <= maxOverwriteAttempts; attempt += 1) {
    try {
      writeFirstPage(database);
      database.exec("commit");
      return true;
    } catch (error) {
      endTransaction(database);
      if (!isSqliteBusy(translateSqliteError(error))) return false;
    }
    blockThread(overwritePauseMs);
  }
  return false;
}

function endTransaction(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec("rollback");
  } catch {
    // The client gets the error of the failed commit, not this one.
  }
}

/**
 * Moves the pages of the write-ahead log into the database if they are too many, so that the next change begins the log
 * anew. This runs right after a commit, before another process writes: then none can until all pages are moved. It
 * never fails, because the commit would seem to have failed, and a caller would try it again.
 *
 * SQLite could do it by itself, but others may write in the meantime, and their pages then keep the log from being
 * begun anew. While two processes wrote without a pause, the log grew for as long as they did, and each commit synced
 * three times.
 */
function shortenLog(connection: SqliteConnection): void {
  try {
    const [row] = connection.execute(countPages);
    if ((row?.log ?? 0) >= maxLogPages) connection.execute(moveToDatabase);
  } catch {
    // The changes are durable in the log. The next commit tries again.
  }
}

// This pragma returns one row. It takes 2 µs.
const countPages = ownQuery<{ readonly log: number }>(sql`pragma wal_checkpoint(noop)`);
/** If another process has the lock, it moves what it can. It waits neither for writers nor for readers. */
const moveToDatabase = ownQuery(sql`pragma wal_checkpoint(full)`);
