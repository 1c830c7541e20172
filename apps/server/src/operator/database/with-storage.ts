import { readConfig, type SettingName } from "../../config.ts";
import type { StorageOptions } from "../../storage/open-storage.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Terminal } from "../io/terminal.ts";
import { openOperatorStorage } from "./open-operator-storage.ts";

/** Opens the database that the settings name, lets `work` use it, and closes it in any case. */
export async function withStorage(
  terminal: Terminal,
  options: { databaseUrl?: string },
  work: (storage: Storage) => Promise<void>,
  listeners: Pick<StorageOptions, "onMigration"> = {},
): Promise<void> {
  const { databaseUrl } = readConfig(terminal.environment, readDatabaseFlag(options));
  const storage = await openOperatorStorage({ databaseUrl, ...listeners });
  try {
    await work(storage);
  } finally {
    await storage.close();
  }
}

/** The flag that every command on the database takes, as the settings take it. */
export function readDatabaseFlag({ databaseUrl }: { databaseUrl?: string }): Partial<Record<SettingName, string>> {
  return databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
}
