import type { DatabaseSync } from "node:sqlite";
import { isSqliteBusy, translateSqliteError } from "./sqlite-error.ts";
import { writeFirstPage } from "./write-first-page.ts";

/**
 * Checks that a connection accepts changes, and changes nothing. SQLite opens a file that it may not write as read-only, and
 * begins a transaction there without an error, so only a statement that changes a page tells. Nothing reaches the disk.
 *
 * If another connection is writing, this one is not checked.
 *
 * @throws AppError `database_read_only`, or `unavailable` if the database fails otherwise
 */
export function tryWrite(database: DatabaseSync): void {
  try {
    writeFirstPage(database);
  } catch (thrown) {
    const error = translateSqliteError(thrown);
    if (!isSqliteBusy(error)) throw error;
  } finally {
    if (database.isTransaction) database.exec("rollback");
  }
}
