import { AppError } from "../../errors/app-error.ts";
import { storageUnavailable } from "../storage-unavailable.ts";

/** Primary result codes of SQLite: https://sqlite.org/rescode.html */
const busy = 5;
const locked = 6;
const outOfMemory = 7;
const readOnly = 8;
const ioError = 10;
const full = 13;
const cannotOpen = 14;
const lockProtocol = 15;

const unavailable = new Set<number | undefined>([
  busy,
  locked,
  outOfMemory,
  readOnly,
  ioError,
  full,
  cannotOpen,
  lockProtocol,
]);

/** Makes a failure to answer or to keep a change one that the client is told about; anything else stays as it is. */
export function translateSqliteError(error: unknown): unknown {
  return unavailable.has(primaryCodeOf(error)) ? storageUnavailable(error) : error;
}

/** Whether the error says that another process was writing. */
export function isSqliteBusy(error: unknown): boolean {
  return error instanceof AppError && primaryCodeOf(error.cause) === busy;
}

function primaryCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) return undefined;
  // The higher bytes of an extended code say more closely what happened.
  return error.errcode & 0xff;
}
