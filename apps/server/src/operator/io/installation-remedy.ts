import type { InstallationError, InstallationErrorCode } from "../../storage/interface/installation-error.ts";

const runCopyAgain = "The copy is unfinished. Run the same command again to continue it.";

/** What an operator can do about each failure. The compiler asks for one; some messages already say it. */
const remedies: Readonly<Record<InstallationErrorCode, string>> = {
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
  tables_in_use: "Nothing was changed. Wait for its end or stop it, and then run the command again.",
  not_permitted:
    "Make the user of the URL the owner of the database and its tables, or run `siteward-server migrate` as their owner.",
  unfinished_copy: "Run the same `siteward-server copy` again until it is done.",
  nothing_to_copy: "Check --from.",
  source_outdated: "Run `siteward-server migrate` on the source first.",
  source_unfinished: "Finish that copy first.",
  source_not_locked: `Stop the servers that write to it, and use a user who may lock its tables. ${runCopyAgain}`,
  destination_in_use: "Use an empty database for --to.",
  copy_taken_over: "",
  copy_interrupted: runCopyAgain,
  copy_stopped: runCopyAgain,
  copy_differs: runCopyAgain,
  invalid_backup: "",
  backup_exists: "Name a file that does not exist, or add --replace.",
  backup_failed: "Nothing was changed.",
  no_room: "Free some space, or use another disk. Nothing was changed.",
  in_use: "Stop the server and every other program that uses it, and run the same command again.",
};

/** Returns what to do about a failure. Empty if its message says it. */
export function remedyOf({ code }: Pick<InstallationError, "code">): string {
  return remedies[code];
}

/** Says in one line what failed and what to do about it. */
export function withRemedy(error: InstallationError): string {
  return `${error.message} ${remedyOf(error)}`.trimEnd();
}
