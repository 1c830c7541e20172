import { openStorage, type StorageOptions } from "../../storage/open-storage.ts";
import type { Storage } from "../../storage/storage.ts";
import { withCommandErrors } from "../io/command-error.ts";

/**
 * Opens the database that the settings name and brings it to the program's version.
 *
 * @throws AppError where it cannot
 */
export function openOperatorStorage(options: StorageOptions): Promise<Storage> {
  return withCommandErrors(() => openStorage(options));
}
