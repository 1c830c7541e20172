import {
  AppError,
  databaseBusy,
  databaseNotMigrated,
  databaseNotPermitted,
  databaseReadOnly,
  outcomeUnknown,
} from "@siteward/service";
import { isWorkerFailure } from "./is-worker-failure.ts";

/** Codes and classes of SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const serializationFailure = "40001";
const deadlockDetected = "40P01";
const uniqueViolation = "23505";
const duplicateTable = "42P07";
const duplicateObject = "42710";
const readOnlyTransaction = "25006";
const completionUnknown = "40003";
const notSupported = "0A000";
const invalidParameter = "22023";
const syntaxError = "42601";
const undefinedObject = "42704";
const undefinedFunction = "42883";
const undefinedTable = "42P01";
const lockNotAvailable = "55P03";
const queryCanceled = "57014";
/** A pooler has passed a connection on, on which another client has prepared the statement. */
const statementExists = "42P05";
/**
 * The pooler has passed another connection on, on which nobody has prepared the statement. Also, queries that share a connection wait for
 * one of them to prepare their statement: if that one fails, the others get this.
 */
const statementNotPrepared = "26000";
const connectionException = "08";
const invalidAuthorization = "28";
const invalidCatalogName = "3D";
const insufficientResources = "53";
const operatorIntervention = "57";
const systemError = "58";
const internalError = "XX";
/** Damaged pages of a table or an index, which the operator can restore. Other internal errors are not translated. */
const dataCorrupted = "XX001";
const indexCorrupted = "XX002";
/** The operator has revoked a privilege of our role. */
const insufficientPrivilege = "42501";
/** The class of Citus. Its only code, CIINF, says that a worker has lost what another one sent to it, as while a shard moves. */
const citusError = "CI";

const unavailableCodes = new Set([
  serializationFailure,
  deadlockDetected,
  completionUnknown,
  lockNotAvailable,
  dataCorrupted,
  indexCorrupted,
]);
const preparedStatementCodes = new Set([statementNotPrepared, statementExists]);
const unavailableClasses = new Set([
  connectionException,
  invalidAuthorization,
  invalidCatalogName,
  insufficientResources,
  operatorIntervention,
  systemError,
  citusError,
]);

/**
 * Returns an `AppError` if the database could not answer or store a change. Returns every other error unchanged. An error
 * that is neither from the server nor a bug is a failure of the connection.
 */
export function translatePostgresError(error: unknown): unknown {
  if (isProgramError(error)) return error;
  const code = readServerError(error)?.code ?? "";
  if (code === readOnlyTransaction) return databaseReadOnly(error);
  if (code === insufficientPrivilege) return databaseNotPermitted(error);
  if (preparedStatementCodes.has(code)) return databaseBusy(new Error(poolerAdvice, { cause: error }));
  const isUnavailable =
    isConnectionLost(error) ||
    unavailableCodes.has(code) ||
    unavailableClasses.has(code.slice(0, 2)) ||
    (isWorkerFailure(error) && (code.startsWith(internalError) || code === undefinedTable));
  if (isUnavailable) return databaseBusy(error);
  return code === undefinedTable ? databaseNotMigrated(error) : error;
}

/** For the log. Clients are not told. */
const poolerAdvice =
  "A prepared statement is not the one of this connection. If a pooler such as PgBouncer is in front of the database, set its " +
  "max_prepared_statements above 0, or add prepared_statements=false to the URL of the database.";

/**
 * Returns what is wrong with the prepared statement of a query: another client has prepared it on this connection, or nobody has. Only
 * a pooler causes the first. The second is also the error of a query that waited for a statement whose preparation failed.
 */
export function poolerFaultOf(error: unknown): "exists" | "missing" | undefined {
  const code = readServerError(error)?.code;
  if (code === statementExists) return "exists";
  return code === statementNotPrepared ? "missing" : undefined;
}

/** If two transactions assign the same next id at the same time, the second fails with a unique violation. */
const conflictCodes = new Set([serializationFailure, deadlockDetected, uniqueViolation]);

/** Whether a transaction failed because of other transactions. */
export function isPostgresConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (conflictCodes.has(code) || code.startsWith(citusError));
}

/** Whether a transaction failed because it waited too long for a lock. */
export function isPostgresLockTimeout(error: unknown): boolean {
  return codeOf(error) === lockNotAvailable;
}

/** Whether a statement was canceled, as by its timeout. */
export function isPostgresCanceled(error: unknown): boolean {
  return codeOf(error) === queryCanceled;
}

/** Whether the user lacks a privilege. */
export function isNotPermitted(error: unknown): boolean {
  return codeOf(error) === insufficientPrivilege;
}

/**
 * Whether a table could not be created because another transaction has just created it. `if not exists` does not help: of 16,500 such
 * statements at the same time, 40 % ended with a unique violation of the catalog, which is a conflict, 2 % with a duplicate object
 * (the type of the table's rows) and 0.3 % with a duplicate table.
 */
export function isCreatedByOther(error: unknown): boolean {
  const code = readServerError(error)?.code;
  return code === duplicateTable || code === duplicateObject;
}

/** Whether the connection is lost. A statement that was running on it may or may not have completed. */
function isConnectionLost(error: unknown): boolean {
  const serverError = readServerError(error);
  if (serverError === undefined) return true;
  const { severity, code } = serverError;
  if (severity === "FATAL" || severity === "PANIC") return true;
  return code.startsWith(connectionException) && !isWorkerFailure(error);
}

/** What can be done with a connection after its use. `waiting` means that its last query may still run. */
export type ConnectionState = "usable" | "unusable" | "waiting";

const unusableCodes = new Set([
  readOnlyTransaction,
  notSupported,
  statementNotPrepared,
  statementExists,
  queryCanceled,
]);

/**
 * Returns what an error leaves of the connection. It must be replaced if its server no longer accepts writes, if its prepared
 * statements are gone or are for tables that have changed since, or if a statement was canceled: Citus reports that at once, but
 * the server can then do nothing else until its other server answers.
 */
export function stateAfter(error: unknown): ConnectionState {
  const code = readServerError(error)?.code;
  if (code === undefined && !isProgramError(error)) return "waiting";
  return isConnectionLost(error) || (code !== undefined && unusableCodes.has(code)) ? "unusable" : "usable";
}

/** Returns the error for a commit that failed. If it was canceled, Citus may have sent it to a worker. See `translatePostgresError`. */
export function translateCommitError(error: unknown): unknown {
  const isCanceled = readServerError(error)?.code === queryCanceled && !isWorkerFailure(error);
  return isCanceled || isCommitUncertain(error) ? outcomeUnknown(error) : translatePostgresError(error);
}

/**
 * Returns the error for a statement that was its own transaction. Damage that the statement found was found before the
 * commit, and a bug of ours was never sent.
 */
export function translateAutocommitError(error: unknown): unknown {
  const code = readServerError(error)?.code;
  const isNotCommitted = isProgramError(error) || code === dataCorrupted || code === indexCorrupted;
  return !isNotCommitted && isCommitUncertain(error) ? outcomeUnknown(error) : translatePostgresError(error);
}

/**
 * Whether a commit that failed with this error may have succeeded. A distributed database reports an internal error if one of
 * its servers did not answer. Citus says which part of it does, so that we know when nothing was committed yet.
 */
function isCommitUncertain(error: unknown): boolean {
  if (isWorkerFailure(error)) return false;
  const code = readServerError(error)?.code;
  return isConnectionLost(error) || code === completionUnknown || code?.startsWith(internalError) === true;
}

/** Whether the server, which may not be PostgreSQL itself, does not support a feature of PostgreSQL. */
export function isUnsupportedByServer(error: unknown): boolean {
  const code = readServerError(error)?.code ?? "";
  return [notSupported, invalidParameter, syntaxError, undefinedObject, undefinedFunction].includes(code);
}

/** Reads the code of an error that the server sent, which may be translated. */
function codeOf(error: unknown): string | undefined {
  return readServerError(error instanceof AppError ? error.cause : error)?.code;
}

interface ServerError {
  readonly code: string;
  readonly severity: string;
}

/**
 * Reads an error that the server sent. Does not check for the driver's class, because the driver is loaded only when it is
 * used.
 */
function readServerError(error: unknown): ServerError | undefined {
  if (!(error instanceof Error && "severity" in error && "code" in error)) return undefined;
  const { severity, code } = error;
  return typeof severity === "string" && typeof code === "string" ? { severity, code } : undefined;
}

/**
 * Whether the error is neither from the server nor from the connection: a bug, a value that the driver cannot send, or an
 * error that was translated before.
 */
function isProgramError(error: unknown): boolean {
  return error instanceof AppError || error instanceof TypeError || error instanceof RangeError;
}
