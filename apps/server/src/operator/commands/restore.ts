import type { Command } from "commander";
import { settings } from "../../config.ts";
import { quoteForShell } from "../../own-programs.ts";
import { type Restore, restoreDatabase } from "../../storage/moving/restore.ts";
import type { CommandContext } from "../command-context.ts";
import { withCommandErrors } from "../command-error.ts";
import { type DatabaseOptions, databaseCommand, readFileDatabase, requirePath } from "../database.ts";
import { printResult, renderCount } from "../output.ts";

/** Returns the command `restore`, which replaces a database of SQLite by a backup. */
export function restoreCommand(context: CommandContext): Command {
  return databaseCommand(
    "restore",
    "replace the SQLite database by a backup, and set the old files aside; stop the server first",
  )
    .argument("<file>", "path of the backup")
    .action((file: string, options: DatabaseOptions) => restore(context, file, options));
}

async function restore(context: CommandContext, file: string, options: DatabaseOptions): Promise<void> {
  requirePath(file);
  const target = await readFileDatabase(context, options, ({ restore }) => ({
    what: "Restore",
    lines: restore(file),
    after:
      "The first line needs a user who may create databases, such as postgres. The owner must exist. " +
      "Then set DATABASE_URL to the new database, and start the server.",
  }));
  const restored = await withCommandErrors(() => restoreDatabase({ target, file }, () => new Date()));
  printResult(context, options, toJson(restored), renderRestore(restored, target.databaseUrl));
}

function toJson(restored: Restore) {
  const { database, version, accounts, websites, newestChange, madeAt, setAside, damage } = restored;
  return {
    database,
    version,
    accounts,
    websites,
    newest_change: newestChange?.toISOString() ?? null,
    backup_made_at: madeAt?.toISOString() ?? null,
    set_aside: setAside,
    damage: damage ?? null,
  };
}

function renderRestore(restored: Restore, databaseUrl: string): string[] {
  const { database, version, accounts, websites, newestChange, madeAt, setAside, damage } = restored;
  const url = databaseUrl === settings.DATABASE_URL[0] ? "" : ` --database-url ${quoteForShell(databaseUrl)}`;
  return [
    `Restored ${renderCount(accounts, "account")} and ${renderCount(websites, "website")} at version ${version} to ${database}.`,
    madeAt === undefined
      ? "The backup does not say when it was made."
      : `The backup was made at ${madeAt.toISOString()}.`,
    newestChange === undefined
      ? "It has no recorded change."
      : `Its newest change was made at ${newestChange.toISOString()}.`,
    ...(damage === undefined ? [] : [`The database before it could not be read: ${damage}.`]),
    ...setAside.map((path) => `Set aside ${path}.`),
    "",
    "Start the server:",
    "",
    `  siteward-server start${url}`,
  ];
}
