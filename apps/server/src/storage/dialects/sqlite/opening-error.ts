import { AppError, isRefusedFor } from "@siteward/service";
import { InstallationError } from "../../interface/installation-error.ts";
import { describeWriteRefusal, findWriteRefusal } from "./find-write-refusal.ts";
import { isSqliteFileError, translateSqliteError } from "./sqlite-error.ts";

/** Says why a database file cannot be opened, and what to do if the system refuses access to it. */
export function toInstallationError(path: string, error: unknown): InstallationError {
  if (error instanceof InstallationError) return error;
  const refusal = isRefusedAccess(error) ? findWriteRefusal(path) : undefined;
  if (refusal !== undefined) {
    return new InstallationError("read_only", describeWriteRefusal(path, refusal), error);
  }
  const cause = error instanceof AppError ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new InstallationError("cannot_open", `Cannot open the database file ${path}: ${reason}`, error);
}

/** Whether the system may have refused access to a file or a folder. SQLite and Node.js do not say to which. */
export function isRefusedAccess(error: unknown): boolean {
  const isRefusedByNode =
    error instanceof Error && "code" in error && /^(EACCES|EPERM|EROFS)$/.test(String(error.code));
  return isRefusedByNode || isRefusedFor(translateSqliteError(error), "database_read_only") || isSqliteFileError(error);
}
