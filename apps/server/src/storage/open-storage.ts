import { type DatabaseOptions, openDatabase } from "./database/open-database.ts";
import { isNewest, migrate } from "./migrations/migrate.ts";
import type { Migration } from "./migrations/migration.ts";
import { migrations } from "./migrations/migrations.ts";
import { prepareReadiness } from "./readiness.ts";
import type { Storage } from "./storage.ts";
import { createAccountStore } from "./stores/accounts/account-store.ts";
import { createApiKeyStore } from "./stores/api-keys/api-key-store.ts";
import { createWebsiteStore } from "./stores/websites/website-store.ts";

export interface StorageOptions extends Omit<DatabaseOptions, "log"> {
  /** Called for each migration that ran. */
  readonly onMigration?: (migration: { readonly version: number; readonly name: string }) => void;
}

/**
 * Opens the database, creates it if it does not exist, and brings it to the newest version.
 *
 * @throws InstallationError that says what is wrong with the URL or the database
 */
export async function openStorage({ onMigration, ...options }: StorageOptions): Promise<Storage> {
  const database = await openDatabase(options);
  try {
    const done = (await isNewest(database, migrations)) ? [] : await migrateDatabase(options);
    for (const migration of done) onMigration?.(migration);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    websites: createWebsiteStore(database),
    accounts: createAccountStore(database),
    apiKeys: createApiKeyStore(database),
    ping: prepareReadiness(database),
    close: () => database.close(),
  };
}

/** Migrates on a connection without a statement timeout: a migration may take longer than any request may wait. */
async function migrateDatabase({ databaseUrl, now }: DatabaseOptions): Promise<Migration[]> {
  const database = await openDatabase({
    databaseUrl,
    allowsLongStatements: true,
    ...(now === undefined ? {} : { now }),
  });
  try {
    return await migrate(database, migrations);
  } finally {
    await database.close();
  }
}
