import { readConfig } from "../config.ts";
import type { StorageOptions } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { openOperatorStorage } from "./open-operator-storage.ts";
import type { Terminal } from "./terminal.ts";

/** Opens the database that the settings name, lets `work` use it, and closes it in any case. */
export async function withStorage(
  terminal: Terminal,
  options: { databaseUrl?: string },
  work: (storage: Storage) => Promise<void>,
  listeners: Pick<StorageOptions, "onMigration"> = {},
): Promise<void> {
  const flags = options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl };
  const { databaseUrl } = readConfig(terminal.environment, flags);
  const storage = await openOperatorStorage({ databaseUrl, ...listeners });
  try {
    await work(storage);
  } finally {
    await storage.close();
  }
}
