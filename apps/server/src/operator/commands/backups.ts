import { basename } from "node:path";
import type { Command } from "commander";
import { type Backup, backUpDatabase } from "../../storage/moving/backup.ts";
import { hasTime } from "../../storage/moving/names.ts";
import { type Restore, restoreDatabase } from "../../storage/moving/restore.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { type DatabaseOptions, databaseCommand, readLocation } from "../database.ts";
import { printResult, renderCount } from "../output.ts";
import { readCount } from "../values.ts";

type BackupOptions = DatabaseOptions & { readonly keep?: string };

/** Returns the command `backup`, which copies a database of SQLite into a file while servers use it. */
export function backupCommand(context: CommandContext): Command {
  return databaseCommand(
    "backup",
    "back up a SQLite database into a file, while the server runs; check the file before it gets its name",
  )
    .argument("<file>", "path of the backup; {time} in its name becomes the time, such as 20270131T090000Z")
    .option("--keep <number>", "once the backup is complete, delete older ones of this name, which must contain {time}")
    .action((file: string, options: BackupOptions) => backUp(context, file, options));
}

async function backUp(context: CommandContext, file: string, options: BackupOptions): Promise<void> {
  requireFileName(file);
  const keep = readKeep(file, options);
  const source = readLocation(context, options);
  const { faults, ...backup } = await backUpDatabase({ source, file, keep }, () => new Date());
  for (const fault of faults) context.note(`The backup is complete. ${fault}.`);
  printResult(context, options, backup, renderBackup(backup));
}

function requireFileName(file: string): void {
  requirePath(file);
  if (file === "") throw new UsageError("The path of the backup is empty. Name a file.");
  const times = file.split("{time}").length - 1;
  if (times > 1 || (times === 1 && !hasTime(basename(file)))) {
    throw new UsageError("Write {time} once, in the name of the file and not in that of a folder.");
  }
}

const maxKeep = 100_000;

function readKeep(file: string, { keep }: BackupOptions): number | undefined {
  if (keep === undefined) return undefined;
  const number = readCount("--keep", keep, maxKeep);
  if (hasTime(file)) return number;
  const what = "--keep needs {time} in the name of the file, such as siteward-{time}.db.";
  throw new UsageError(`${what} Else there is only one backup.`);
}

function renderBackup({ file, bytes, version, accounts, websites, removed }: Omit<Backup, "faults">): string[] {
  const size = `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
  return [
    `Backed up ${renderCount(accounts, "account")} and ${renderCount(websites, "website")} at version ${version} to ${file} (${size}).`,
    ...removed.map((path) => `Deleted the older backup ${path}.`),
  ];
}

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

/**
 * A path that begins with `file:` would be a folder with that name.
 *
 * @throws UsageError
 */
function requirePath(file: string): void {
  if (/^file:/i.test(file)) throw new UsageError("The backup is a path, not a URL. Leave out the beginning `file:`.");
}
