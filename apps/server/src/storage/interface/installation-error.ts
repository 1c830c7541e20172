/** Why a database cannot be opened, migrated, copied, backed up or restored. The callers of storage say what to do about each. */
export type InstallationErrorCode =
  | "invalid_url"
  | "cannot_open"
  | "read_only"
  | "no_database"
  | "foreign_database"
  | "wrong_encoding"
  | "newer_version"
  | "not_coordinator"
  | "tables_in_use"
  | "not_permitted"
  | "nothing_to_copy"
  | "source_outdated"
  | "source_in_use"
  | "source_not_checkable"
  | "destination_in_use"
  | "copy_failed"
  | "copy_unknown"
  | "copy_differs"
  | "invalid_backup"
  | "backup_exists"
  | "backup_failed"
  | "restore_failed"
  | "no_room"
  | "in_use";

/** A database cannot be opened, migrated, copied, backed up or restored. The message says what is wrong, in one sentence. */
export class InstallationError extends Error {
  override readonly name = "InstallationError";
  readonly code: InstallationErrorCode;

  constructor(code: InstallationErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
