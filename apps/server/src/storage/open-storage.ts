import { extname } from "node:path";
import { isRefusedFor } from "@siteward/service";
import { type CallChange, type Changes, callHere } from "./changes/call-change.ts";
import { type DatabaseOptions, openDatabase } from "./engine/database.ts";
import { isNewest, type MigrateOptions, migrate } from "./engine/migrate.ts";
import { type Migration, migrations } from "./engine/schema.ts";
import { startWriterThread } from "./engine/writer-thread.ts";
import { InstallationError, reasonOf } from "./interface/installation-error.ts";
import type { Storage } from "./interface/storage.ts";
import { createAuditStore } from "./reads/audit-store.ts";
import { prepareReadiness } from "./reads/readiness.ts";
import { createAccountStore } from "./stores/account-store.ts";
import { createApiKeyStore } from "./stores/api-key-store.ts";
import { prepareAccountDeletion } from "./stores/delete-account.ts";
import { createRetentionStore } from "./stores/retention-store.ts";
import { createWebsiteStore } from "./stores/website-store.ts";

export interface StorageOptions
  extends Omit<DatabaseOptions, "log" | "hasOwnThread">,
    Pick<MigrateOptions, "onDistribution"> {
  /** Whether changes of requests run on a thread of their own if the disk would block this one. False by default. */
  readonly writesOnThread?: boolean;
  /**
   * How many megabytes the changes of an account may leave in the audit trail, and in the outcomes of idempotency keys,
   * in a day (UTC). 0, which is the default, for no limit.
   */
  readonly trailLimitMegabytes?: number;
  /** Called for each migration that ran. */
  readonly onMigration?: (migration: { readonly version: number; readonly name: string }) => void;
  /**
   * Called if the database could be distributed over nodes, but all tables are on one, with the reason and what to do
   * about it.
   */
  readonly onUndistributed?: (reason: string) => void;
}

/** Opens the database and migrates it. @throws InstallationError that says what is wrong with the URL or the database */
export async function openStorage(opened: StorageOptions): Promise<Storage> {
  const { onMigration, onUndistributed, writesOnThread, trailLimitMegabytes, ...options } = opened;
  const database = await openDatabase(options);
  try {
    const done = (await isNewest(database, migrations)) ? [] : await migrateDatabase(options);
    for (const migration of done) onMigration?.(migration);
    // SQLite reads the definitions of tables again. If the file were damaged first, it would report the tables as
    // missing.
    if (done.length > 0) await isNewest(database, migrations);
    const reason = onUndistributed && (await database.engine.server?.explainUndistributed(database.primary));
    if (reason !== undefined) onUndistributed?.(reason);
  } catch (error) {
    await database.close();
    throw isRefusedFor(error, "database_not_permitted") ? notPermitted(error) : error;
  }
  const { databaseUrl } = options;
  const hasThread = writesOnThread === true && database.runBlockingBatch !== undefined;
  const thread = hasThread
    ? await startWriterThread<Changes>({ databaseUrl, program: threadProgram, onFailure: endProcess })
    : undefined;
  const call: CallChange = thread?.call ?? callHere(database);
  // The thread erases what an earlier process may have left. If it cannot write, the first change says so.
  if (thread !== undefined) void call("checkWritable", undefined).catch(() => undefined);
  return {
    websites: createWebsiteStore(database, call, trailLimitMegabytes),
    accounts: { ...createAccountStore(database), delete: prepareAccountDeletion(database) },
    apiKeys: createApiKeyStore(database, (uses) => call("recordKeyUse", uses)),
    audit: createAuditStore(database),
    retention: createRetentionStore(database, (expiry) => call("deleteExpired", expiry)),
    ping: prepareReadiness(database, () => call("checkWritable", undefined)),
    load: () => ({ ...database.load(), ...thread?.load() }),
    async close() {
      await thread?.close();
      await database.close();
    },
  };
}

/** In the built server, the thread has a file of its own next to this one. In the sources, it is a TypeScript file. */
const threadProgram = new URL(`./run-writer-thread${extname(import.meta.url)}`, import.meta.url);

/** A process that can store nothing must not go on. Its supervisor, or that of the workers, starts another one. */
function endProcess(reason: unknown): void {
  setImmediate(() => {
    throw reason;
  });
}

function notPermitted(error: unknown): InstallationError {
  const message = `The user of the database URL lacks a privilege: ${reasonOf(error)}.`;
  return new InstallationError("not_permitted", message, error);
}

/** Migrates on a connection without a statement timeout: a migration may take longer than any request may wait. */
async function migrateDatabase(options: StorageOptions): Promise<readonly Migration[]> {
  const database = await openDatabase({ ...options, replicas: [], allowsLongStatements: true });
  try {
    return await migrate(database, migrations, options);
  } finally {
    await database.close();
  }
}
