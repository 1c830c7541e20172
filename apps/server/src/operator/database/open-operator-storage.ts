import type { Storage } from "../../storage/interface/storage.ts";
import { openStorage, type StorageOptions } from "../../storage/open-storage.ts";
import { withCommandErrors } from "../io/command-error.ts";

/** What messages call the settings that contain the URLs of databases. */
export const databaseSetting = "DATABASE_URL (--database-url)";
export const replicaSetting = "DATABASE_REPLICA_URLS (--database-replica-urls)";

/**
 * Opens the database that the settings name, and migrates it to the version of the program.
 *
 * @throws CommandError if that fails for a known reason
 */
export function openOperatorStorage(options: StorageOptions): Promise<Storage> {
  return withCommandErrors(() => openStorage({ setting: databaseSetting, replicaSetting, ...options }));
}
