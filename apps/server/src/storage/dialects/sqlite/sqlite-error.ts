import { AppError, databaseBusy, databaseReadOnly } from "@siteward/service";

/** Primary result codes of SQLite: https://sqlite.org/rescode.html */
const busy = 5;
const locked = 6;
const outOfMemory = 7;
const readOnly = 8;
const ioError = 10;
/** Corrupt pages, or a truncated file. The operator can restore it. A retry may read only intact pages. */
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const lockProtocol = 15;
/** Other processes repeatedly changed the schema while a statement was prepared. */
const schema = 17;
/** The file system does not support a file of this size. */
const noLargeFiles = 22;
/** The beginning of the file is overwritten or missing. */
const notADatabase = 26;

const unavailable = new Set<number | undefined>([
  busy,
  locked,
  outOfMemory,
  ioError,
  corrupt,
  full,
  cannotOpen,
  lockProtocol,
  schema,
  noLargeFiles,
  notADatabase,
]);

/**
 * Returns an `AppError` if the database could not answer or store a change. Returns every other error unchanged. A missing
 * table has the same code as a mistake in our SQL (1), so it is not translated.
 */
export function translateSqliteError(error: unknown): unknown {
  const code = primaryCodeOf(error);
  if (code === readOnly) return databaseReadOnly(error);
  return unavailable.has(code) ? databaseBusy(error) : error;
}

/** Whether SQLite could not write to a file, or not open it. Of the system's error, it tells only that. */
export function isSqliteFileError(error: unknown): boolean {
  const code = primaryCodeOf(error instanceof AppError ? error.cause : error);
  return code === ioError || code === cannotOpen;
}

/** Whether SQLite found that the file is corrupt. */
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
