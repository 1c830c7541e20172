import { accessSync, constants, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { isRefusedFor } from "@siteward/service";
import { InstallationError, reasonOf } from "../interface/installation-error.ts";
import { isSqliteFileError, translateSqliteError } from "./sqlite-error.ts";

/** Says why a database file cannot be opened, and what to do if the system refuses access to it. */
export function toInstallationError(path: string, error: unknown): InstallationError {
  if (error instanceof InstallationError) return error;
  const refusal = isRefusedAccess(error) ? findWriteRefusal(path) : undefined;
  if (refusal !== undefined) return describeWriteRefusal(path, refusal, error);
  return new InstallationError("cannot_open", `Cannot open the database file ${path}: ${reasonOf(error)}`, error);
}

/** @throws InstallationError `read_only` if SQLite could not write to the database if it opened it now */
export function requireWritable(path: string): void {
  const refusal = findWriteRefusal(path);
  if (refusal !== undefined) throw describeWriteRefusal(path, refusal);
}

function describeWriteRefusal(path: string, refusal: string, error?: unknown): InstallationError {
  return new InstallationError("read_only", `Cannot write to the database file ${path}: ${refusal}`, error);
}

/** Whether the system may have refused access to a file or a folder. SQLite and Node.js do not say to which. */
export function isRefusedAccess(error: unknown): boolean {
  const isRefusedByNode = /^(EACCES|EPERM|EROFS)$/.test(codeOf(error) ?? "");
  return isRefusedByNode || isRefusedFor(translateSqliteError(error), "database_read_only") || isSqliteFileError(error);
}

/**
 * Returns why SQLite could not write to the database if it opened it now, as far as the system says it, and what to do,
 * such as "/data is in a file system that is read-only. Mount it with the right to write."
 */
export function findWriteRefusal(path: string): string | undefined {
  // SQLite writes the last two next to the file: https://sqlite.org/walformat.html#files_on_disk
  const files = [path, `${path}-wal`, `${path}-shm`];
  const folder = dirname(path);
  const isComplete = files.every((file) => codeOfAccess(file) !== missing);
  for (const place of isComplete ? files : [...files, folder]) {
    const code = codeOfAccess(place);
    if (code === undefined || code === missing) continue;
    const use = codeOfAccess(place, constants.R_OK) === undefined ? "write to" : "read or write to";
    return describe(code, place, `${place === folder ? "create files in" : use} ${place}`);
  }
  return undefined;
}

const missing = "ENOENT";

function describe(code: string, place: string, action: string): string {
  if (code === "EROFS")
    return (
      `${place} is in a file system that is read-only. ` +
      "Mount it with the right to write, after a check if it is damaged."
    );
  if (code === "EPERM") return `${place} is marked as immutable. Remove the mark, on Linux with \`chattr -i\`.`;
  return (
    `${describeUser()} may not ${action}${describeOwner(place)}. Let the user that runs Siteward read and write the file, ` +
    "the files next to it that end in -wal and -shm, and its folder."
  );
}

/** The user whose rights count, by name and number. A container can run as a user without a name. */
function describeUser(): string {
  const id = process.geteuid?.();
  if (id === undefined) return "this user";
  try {
    return `user ${userInfo().username} (${id})`;
  } catch {
    return `user ${id}`;
  }
}

/** The numbers of the owner. Empty on Windows, and in a folder that this user may not enter. */
function describeOwner(place: string): string {
  if (process.geteuid === undefined) return "";
  try {
    const { uid, gid, mode } = statSync(place);
    const permissions = (mode & 0o7777).toString(8).padStart(4, "0");
    return `, which belongs to user ${uid} and group ${gid} and has mode ${permissions}`;
  } catch {
    return "";
  }
}

function codeOfAccess(path: string, kind = constants.W_OK): string | undefined {
  try {
    accessSync(path, kind);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
