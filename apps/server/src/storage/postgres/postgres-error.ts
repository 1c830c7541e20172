import {
  AppError,
  databaseBusy,
  databaseNotMigrated,
  databaseNotPermitted,
  databaseReadOnly,
  outcomeUnknown,
} from "@siteward/service";

/** Codes of SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const codes = {
  readOnlyTransaction: "25006",
  /** The operator has revoked a privilege of our role. */
  insufficientPrivilege: "42501",
  undefinedTable: "42P01",
  lockNotAvailable: "55P03",
  /** As by a timeout. */
  queryCanceled: "57014",
  completionUnknown: "40003",
  /** A pooler has passed a connection on, on which another client has prepared the statement, or nobody has. */
  statementExists: "42P05",
  statementMissing: "26000",
  /** The tables of a prepared statement have changed since, or the server lacks a feature. */
  notSupported: "0A000",
  /** Damaged pages of a table or an index, which the operator can restore. Other internal errors are not translated. */
  dataCorrupted: "XX001",
  indexCorrupted: "XX002",
} as const;
const connectionException = "08";
const internalError = "XX";
/** The class of Citus. Its only code, CIINF, says that a worker has lost data, as while a shard moves. */
const citusError = "CI";

/**
 * Serialization, deadlock, and a duplicate: if two transactions assign the same next id at the same time, the second
 * fails so. The last two say that another transaction has just created the same table. `if not exists` does not help:
 * of 16,500 such statements at the same time, 40 % ended with a unique violation of the catalog (23505), 2 % with a
 * duplicate object (42710, the type of the table's rows) and 0.3 % with a duplicate table (42P07).
 */
const conflictCodes: readonly string[] = ["40001", "40P01", "23505", "42710", "42P07"];
const damageCodes: readonly string[] = [codes.dataCorrupted, codes.indexCorrupted];
const pooledStatementCodes: readonly string[] = [codes.statementExists, codes.statementMissing];
const unavailableCodes: readonly string[] = [
  "40001",
  "40P01",
  codes.completionUnknown,
  codes.lockNotAvailable,
  ...damageCodes,
];
/** Connections, authorization, an unknown database, resources, an operator, the system, and Citus. */
const unavailableClasses: readonly string[] = [connectionException, "28", "3D", "53", "57", "58", citusError];

/**
 * Returns an `AppError` if the database could not answer or store a change. Returns every other error unchanged. An
 * error that is neither from the server nor a bug is a failure of the connection.
 */
export function translatePostgresError(error: unknown): unknown {
  if (isProgramError(error)) return error;
  const code = readServerError(error)?.code ?? "";
  if (code === codes.readOnlyTransaction) return databaseReadOnly(error);
  if (code === codes.insufficientPrivilege) return databaseNotPermitted(error);
  if (pooledStatementCodes.includes(code)) return databaseBusy(new Error(poolerAdvice, { cause: error }));
  const isUnavailable =
    isConnectionLost(error) ||
    unavailableCodes.includes(code) ||
    unavailableClasses.includes(code.slice(0, 2)) ||
    (isWorkerFailure(error) && (code.startsWith(internalError) || code === codes.undefinedTable));
  if (isUnavailable) return databaseBusy(error);
  return code === codes.undefinedTable ? databaseNotMigrated(error) : error;
}

/** For the log. Clients are not told. */
const poolerAdvice =
  "A prepared statement is not the one of this connection. If a pooler such as PgBouncer is in front of the database, set its " +
  "max_prepared_statements above 0, or add prepared_statements=false to the URL of the database.";

export function isPostgresConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (conflictCodes.includes(code) || code.startsWith(citusError));
}

/** Whether the server that we are connected to cannot reach another one. Of ours, the driver reports no such error. */
export function isOtherServerLost(error: unknown): boolean {
  const found = readServerError(error instanceof AppError ? error.cause : error);
  return found?.severity === "ERROR" && found.code.startsWith(connectionException);
}

/** Whether the server sent this error, which may be translated. */
export function isPostgresError(error: unknown, name: keyof typeof codes): boolean {
  return codeOf(error) === codes[name];
}

/** Whether the server does not support a feature, a syntax, a function or a parameter. */
export function isUnsupportedByServer(error: unknown): boolean {
  return [codes.notSupported, "22023", "42601", "42704", "42883"].includes(codeOf(error) ?? "");
}

/** What can be done with a connection after its use. `waiting` means that its last query may still run. */
export type ConnectionState = "usable" | "unusable" | "waiting";

const unusableCodes: readonly string[] = [
  codes.readOnlyTransaction,
  codes.notSupported,
  codes.queryCanceled,
  ...pooledStatementCodes,
];

/**
 * Returns what an error leaves of the connection. It must be replaced if its server no longer accepts writes, if its
 * prepared statements are gone or are for tables that have changed since, or if a statement was canceled: Citus reports
 * that at once, but the server can then do nothing else until its other server answers.
 */
export function stateAfter(error: unknown): ConnectionState {
  const code = readServerError(error)?.code;
  if (code === undefined && !isProgramError(error)) return "waiting";
  return isConnectionLost(error) || unusableCodes.includes(code ?? "") ? "unusable" : "usable";
}

/** Returns the error for a commit that failed. If it was canceled, Citus may have sent it to a worker. */
export function translateCommitError(error: unknown): unknown {
  const isCanceled = isPostgresError(error, "queryCanceled") && !isWorkerFailure(error);
  return isCanceled || isCommitUncertain(error) ? outcomeUnknown(error) : translatePostgresError(error);
}

/**
 * Returns the error for a statement that was its own transaction. Damage that the statement found was found before the
 * commit, and a bug of ours was never sent.
 */
export function translateAutocommitError(error: unknown): unknown {
  const isNotCommitted = isProgramError(error) || damageCodes.includes(readServerError(error)?.code ?? "");
  return !isNotCommitted && isCommitUncertain(error) ? outcomeUnknown(error) : translatePostgresError(error);
}

/**
 * Whether a commit that failed with this error may have succeeded. A distributed database reports an internal error if
 * one of its servers did not answer. Citus says which part of it does, so that we know when nothing was committed yet.
 */
function isCommitUncertain(error: unknown): boolean {
  if (isWorkerFailure(error)) return false;
  const code = readServerError(error)?.code ?? "";
  return isConnectionLost(error) || code === codes.completionUnknown || code.startsWith(internalError);
}

/** Whether the connection is lost. A statement that was running on it may or may not have completed. */
function isConnectionLost(error: unknown): boolean {
  const { severity, code } = readServerError(error) ?? { severity: "FATAL", code: "" };
  if (severity === "FATAL" || severity === "PANIC") return true;
  return code.startsWith(connectionException) && !isWorkerFailure(error);
}

function codeOf(error: unknown): string | undefined {
  return readServerError(error instanceof AppError ? error.cause : error)?.code;
}

/** Does not check for the driver's class, because the driver is loaded only when it is used. */
function readServerError(error: unknown): { readonly code: string; readonly severity: string } | undefined {
  if (!(error instanceof Error && "severity" in error && "code" in error)) return undefined;
  const { severity, code } = error;
  return typeof severity === "string" && typeof code === "string" ? { severity, code } : undefined;
}

/** Whether the error is a bug, a value that the driver cannot send, or an error that was translated before. */
function isProgramError(error: unknown): boolean {
  return error instanceof AppError || error instanceof TypeError || error instanceof RangeError;
}

/**
 * The functions of Citus 13.0 that report the failure of a worker while a statement runs or a commit is prepared, as
 * the protocol's field R. Nothing of the statement, or of the transaction, is stored then.
 * `ErrorIfPostCommitFailedShardPlacements` is not one of them: it reports that a worker was lost after the commit was
 * sent to it.
 */
const workerRoutines: readonly unknown[] = [
  "ReportConnectionError",
  "ReportResultError",
  "ManageWorkerPool",
  "FinishConnectionListEstablishment",
  "MarkRemoteTransactionFailed",
  "CheckRemoteTransactionsHealth",
  "FinishRemoteTransactionPrepare",
];

/**
 * Whether the node of Citus that we are connected to reports the failure of another one. The connection works, and
 * nothing is stored. Of 1,505 changes that failed in 14 crashes of nodes under load, 1,494 were reported as not stored,
 * most of them with such an error. None of them was stored.
 */
function isWorkerFailure(error: unknown): boolean {
  if (!(error instanceof Error && "routine" in error && "severity" in error)) return false;
  return error.severity === "ERROR" && workerRoutines.includes(error.routine);
}
