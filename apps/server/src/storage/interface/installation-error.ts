import { AppError } from "@siteward/service";

/**
 * Why a database cannot be opened, migrated, copied, backed up or restored, and what an operator can do about it. Empty
 * if the message of the error already says it.
 */
const remedies = {
  invalid_url: "",
  cannot_open: "",
  read_only: "",
  no_database:
    "Set DATABASE_URL (--database-url) to your database, " +
    "or create one with `siteward-server start --bootstrap` or `siteward-server accounts create`.",
  foreign_database: "Use the database of Siteward, or one that is empty.",
  wrong_encoding:
    "Create another one with `createdb --encoding UTF8 --locale C --template template0`, and move the data of this one, " +
    "if it has any, with `pg_dump` and `psql`.",
  newer_version: "Run the newer Siteward that wrote it, or a later one.",
  not_coordinator:
    "Run `siteward-server migrate` with the URL of the coordinator. It distributes the tables, or says why not.",
  node_down:
    "The accounts of other nodes are served. Start the node, or promote its standby and tell Citus with `citus_update_node`.",
  tables_in_use: "Nothing was changed. Wait for its end or stop it, and then run the command again.",
  not_permitted:
    "Make the user of the URL the owner of the database and its tables, or run `siteward-server migrate` as their owner.",
  nothing_to_copy: "Check --from.",
  source_outdated: "Run `siteward-server migrate` on the source first.",
  source_in_use:
    "Stop the server and every other program that uses it, and run the same command again. Nothing was stored in --to.",
  source_not_checkable: "Move it with the tools of its engine.",
  destination_in_use: "Use an empty database, or a file that does not exist, for --to. Nothing in it was changed.",
  copy_failed: "Nothing was stored in --to. Run the same command again once the cause is gone.",
  copy_unknown: "Run the same command again. If it says that --to contains accounts, the copy is stored.",
  copy_differs: "Nothing was stored in --to. Run the same command again.",
  invalid_backup: "",
  backup_exists: "Name a file that does not exist, such as one with {time} in its name.",
  backup_failed: "Nothing was changed.",
  restore_failed: "The database is as it was.",
  no_room: "Free some space, or use another disk. Nothing was changed.",
  in_use: "Stop the server and every other program that uses it, and run the same command again.",
} as const satisfies Record<string, string>;

export type InstallationErrorCode = keyof typeof remedies;

/** A database cannot be opened, migrated, copied, backed up or restored. The message says what is wrong, in one sentence. */
export class InstallationError extends Error {
  override readonly name = "InstallationError";
  readonly code: InstallationErrorCode;

  constructor(code: InstallationErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }

  get remedy(): string {
    return remedies[this.code];
  }
}

/** Returns the message of an error for the operator: of a refusal that clients are told of, that of its cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof AppError ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
