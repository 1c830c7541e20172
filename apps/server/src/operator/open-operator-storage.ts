import { ConfigError } from "../config.ts";
import { AppError } from "../errors/app-error.ts";
import { openStorage, type StorageOptions } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";

/**
 * Opens the database that the settings name and brings it to the program's version.
 *
 * @throws AppError where it cannot, so that the operator reads why in one line and not a stack
 */
export async function openOperatorStorage(options: StorageOptions): Promise<Storage> {
  try {
    return await openStorage(options);
  } catch (cause) {
    if (cause instanceof ConfigError || cause instanceof AppError || !(cause instanceof Error)) throw cause;
    throw new AppError("unavailable", cause.message, { cause });
  }
}
