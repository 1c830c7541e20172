import type { Command } from "commander";
import { type Restore, restoreDatabase } from "../../storage/moving/restore.ts";
import type { CommandContext } from "../command.ts";
import { type DatabaseOptions, databaseCommand, readLocation, requirePath } from "../database.ts";
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
  const target = readLocation(context, options);
  const restored = await restoreDatabase(target, file, () => new Date());
  printResult(context, options, restored, renderRestore(restored));
}

function renderRestore(restored: Restore): string[] {
  const { database, version, accounts, websites, newest_change, backup_made_at, set_aside, damage } = restored;
  return [
    `Restored ${renderCount(accounts, "account")} and ${renderCount(websites, "website")} at version ${version} to ${database}.`,
    backup_made_at === null ? "The backup does not say when it was made." : `The backup was made at ${backup_made_at}.`,
    newest_change === null ? "It has no recorded change." : `Its newest change was made at ${newest_change}.`,
    ...(damage === null ? [] : [`The database before it could not be read: ${damage}.`]),
    ...set_aside.map((path) => `Set aside ${path}.`),
    "Start the server with this database: DATABASE_URL or --database-url.",
  ];
}
