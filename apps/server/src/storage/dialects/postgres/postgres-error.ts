import { StorageError, storageUnavailable } from "../../storage-error.ts";

/** Codes and classes of SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const serializationFailure = "40001";
const deadlockDetected = "40P01";
const uniqueViolation = "23505";
const readOnlyTransaction = "25006";
const completionUnknown = "40003";
const notSupported = "0A000";
const invalidParameter = "22023";
const syntaxError = "42601";
const undefinedObject = "42704";
const lockNotAvailable = "55P03";
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
/** The operator took a right away from our user. */
const insufficientPrivilege = "42501";

const unavailableCodes = new Set([
  serializationFailure,
  deadlockDetected,
  completionUnknown,
  readOnlyTransaction,
  lockNotAvailable,
  dataCorrupted,
  indexCorrupted,
  insufficientPrivilege,
]);
const unavailableClasses = new Set([
  connectionException,
  invalidAuthorization,
  invalidCatalogName,
  insufficientResources,
  operatorIntervention,
  systemError,
]);

/**
 * Makes a failure to answer or to keep a change one that the client is told about; anything else stays as it is. Whatever
 * the database itself did not say comes from the connection to it.
 */
export function translatePostgresError(error: unknown): unknown {
  if (isProgramError(error)) return error;
  const code = readServerError(error)?.code ?? "";
  const isUnavailable =
    isConnectionLost(error) || unavailableCodes.has(code) || unavailableClasses.has(code.slice(0, 2));
  return isUnavailable ? storageUnavailable(error) : error;
}

/**
 * Whether the error says that others were in the way of a transaction. Two that take the next number of a table at once
 * read as a number that is taken already.
 */
export function isPostgresConflict(error: unknown): boolean {
  const { code } = readServerError(error instanceof StorageError ? error.cause : error) ?? {};
  return code === serializationFailure || code === deadlockDetected || code === uniqueViolation;
}

/** Whether the connection cannot be used again, and what was under way on it may have been done or not. */
function isConnectionLost(error: unknown): boolean {
  const serverError = readServerError(error);
  if (serverError === undefined) return true;
  const { severity, code } = serverError;
  return severity === "FATAL" || severity === "PANIC" || code.startsWith(connectionException);
}

/**
 * Whether another connection may do better: this one is lost, leads to a server that takes no writes any longer, or has
 * prepared statements for tables that have changed since.
 */
export function isConnectionUnusable(error: unknown): boolean {
  const code = readServerError(error)?.code;
  return isConnectionLost(error) || code === readOnlyTransaction || code === notSupported;
}

/**
 * Whether a commit that failed so may have been done all the same. A server that spreads a transaction over others says
 * that something went wrong inside where one of them did not answer.
 */
export function isCommitUncertain(error: unknown): boolean {
  const code = readServerError(error)?.code;
  return isConnectionLost(error) || code === completionUnknown || code?.startsWith(internalError) === true;
}

/** Whether the server, which may be of another make, cannot do what PostgreSQL can. */
export function isUnsupportedByServer(error: unknown): boolean {
  const code = readServerError(error)?.code ?? "";
  return [notSupported, invalidParameter, syntaxError, undefinedObject].includes(code);
}

interface ServerError {
  readonly code: string;
  readonly severity: string;
}

/** What the database itself said. The class of the driver is not asked for, since it is loaded only where it is used. */
function readServerError(error: unknown): ServerError | undefined {
  if (!(error instanceof Error && "severity" in error && "code" in error)) return undefined;
  const { severity, code } = error;
  return typeof severity === "string" && typeof code === "string" ? { severity, code } : undefined;
}

/** A value that the driver cannot send, or a mistake in this program. */
function isProgramError(error: unknown): boolean {
  return error instanceof StorageError || error instanceof TypeError || error instanceof RangeError;
}
