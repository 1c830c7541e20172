import { StorageError, storageUnavailable } from "../../storage-error.ts";

/** Primary result codes of SQLite: https://sqlite.org/rescode.html */
const busy = 5;
const locked = 6;
const outOfMemory = 7;
const readOnly = 8;
const ioError = 10;
/** Damaged pages, or a file that is shorter than it should be. The operator can restore it; a retry may reach a sound page. */
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const lockProtocol = 15;
/** Others kept changing the tables while a statement was prepared. */
const schema = 17;
/** A file system that takes no file of this size. */
const noLargeFiles = 22;
/** The beginning of the file is overwritten or gone. */
const notADatabase = 26;

const unavailable = new Set<number | undefined>([
  busy,
  locked,
  outOfMemory,
  readOnly,
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
 * Translates a failure to answer or to keep a change; any other error stays as it is. A missing table has the same code
 * as a mistake in our SQL (1), so it stays as it is too.
 */
export function translateSqliteError(error: unknown): unknown {
  return unavailable.has(primaryCodeOf(error)) ? storageUnavailable(error) : error;
}

/** Whether the error says that SQLite read something that is not what it wrote. */
export function isSqliteDamage(error: unknown): boolean {
  const code = primaryCodeOf(error);
  return code === corrupt || code === notADatabase;
}

/** Whether the error says that another process was writing. */
export function isSqliteBusy(error: unknown): boolean {
  return error instanceof StorageError && primaryCodeOf(error.cause) === busy;
}

function primaryCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) return undefined;
  // The higher bytes of an extended code say more closely what happened.
  return error.errcode & 0xff;
}
