import { Command } from "commander";
import { readConfig, type SettingName, settings } from "../../config.ts";
import type { Storage } from "../../storage/interface/storage.ts";
import type { StorageOptions } from "../../storage/open-storage.ts";
import type { CommandContext } from "../io/command-context.ts";
import { openOperatorStorage } from "./open-operator-storage.ts";

/** Returns a command with the options for the URL of the database and for JSON. It works while the server runs. */
export function databaseCommand(name: string, description: string): Command {
  const { flag, meaning } = settings.DATABASE_URL;
  return new Command(name)
    .description(description)
    .option(`--${flag} <url>`, `${meaning} (DATABASE_URL; ${settings.DATABASE_URL.default})`)
    .option("--json", "print only JSON on standard output");
}

/**
 * Opens the database that the settings name, runs `work` with it, and always closes it.
 *
 * @param opening.mustExist whether a database that does not exist is refused instead of created. True by default.
 * @param opening.mustBeWritable whether a read-only database is refused. True by default.
 */
export async function withStorage(
  context: CommandContext,
  options: { databaseUrl?: string },
  work: (storage: Storage) => Promise<void>,
  opening: Pick<
    StorageOptions,
    "onMigration" | "onDistribution" | "onUndistributed" | "mustExist" | "mustBeWritable"
  > = {},
): Promise<void> {
  const { databaseUrl } = readConfig(context.environment, readDatabaseFlag(options));
  const storage = await openOperatorStorage({ databaseUrl, mustExist: true, mustBeWritable: true, ...opening });
  try {
    await work(storage);
  } finally {
    await storage.close();
  }
}

/** How a command that changes nothing opens its database, so that it also reads one that is read-only. */
export const readsOnly = { mustBeWritable: false } as const;

/** Returns the option of the database's URL in the form of a setting. */
export function readDatabaseFlag({ databaseUrl }: { databaseUrl?: string }): Partial<Record<SettingName, string>> {
  return databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
}
