import { AppError, databaseBusy, databaseReadOnly } from "@siteward/service";

/** Primary result codes of SQLite: https://sqlite.org/rescode.html */
const busy = 5;
const readOnly = 8;
const ioError = 10;
/** Corrupt pages, or a truncated file. The operator can restore it. A retry may read only intact pages. */
const corrupt = 11;
const cannotOpen = 14;
/** The beginning of the file is overwritten or missing. */
const notADatabase = 26;
/**
 * The last ones: a table that is locked, no memory, a full disk, the protocol of locks, a schema that other processes
 * repeatedly changed, and a file system without files of this size.
 */
const unavailable: readonly unknown[] = [busy, ioError, corrupt, cannotOpen, notADatabase, 6, 7, 13, 15, 17, 22];

/**
 * Returns an `AppError` if the database could not answer or store a change. Returns every other error unchanged. A
 * missing table has the same code as a mistake in our SQL (1), so it is not translated.
 */
export function translateSqliteError(error: unknown): unknown {
  const code = primaryCodeOf(error);
  if (code === readOnly) return databaseReadOnly(error);
  return unavailable.includes(code) ? databaseBusy(error) : error;
}

/** Whether SQLite could not write to a file, or not open it. Of the system's error, it tells only that. */
export function isSqliteFileError(error: unknown): boolean {
  const code = primaryCodeOf(error instanceof AppError ? error.cause : error);
  return code === ioError || code === cannotOpen;
}

export function isSqliteDamage(error: unknown): boolean {
  const code = primaryCodeOf(error);
  return code === corrupt || code === notADatabase;
}

/** Whether the error says that another connection was writing. */
export function isSqliteBusy(error: unknown): boolean {
  return error instanceof AppError && primaryCodeOf(error.cause) === busy;
}

function primaryCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) return undefined;
  // The higher bytes of an extended code contain details.
  return error.errcode & 0xff;
}
