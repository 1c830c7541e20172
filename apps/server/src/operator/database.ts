import { userInfo } from "node:os";
import type { ChangeAuthor } from "@siteward/service";
import { Command } from "commander";
import { type Config, type Flags, settings } from "../config.ts";
import type { Storage } from "../storage/interface/storage.ts";
import { openStorage, type StorageOptions } from "../storage/open-storage.ts";
import type { CommandContext } from "./command.ts";
import { readConfig } from "./values.ts";

/** What messages call the settings that contain the URLs of databases. */
export const databaseSetting = "DATABASE_URL (--database-url)";
const replicaSetting = "DATABASE_REPLICA_URLS (--database-replica-urls)";

export type DatabaseOptions = Pick<Flags, "databaseUrl"> & { readonly json?: boolean };

/** Returns a command with the option for the URL of the database. It works while the server runs. */
export function databaseCommand(name: string, description: string): Command {
  const [unset, , meaning] = settings.DATABASE_URL;
  return new Command(name)
    .description(description)
    .option("--database-url <url>", `${meaning} (DATABASE_URL; ${unset})`);
}

/**
 * Opens the database that the settings name, runs `work` with it, and always closes it.
 *
 * @param opening.mustExist whether a database that does not exist is refused instead of created. True by default.
 * @param opening.mustBeWritable whether a read-only database is refused. True by default.
 */
export async function withStorage(
  context: CommandContext,
  options: DatabaseOptions,
  work: (storage: Storage) => Promise<void>,
  opening: Omit<StorageOptions, "databaseUrl"> = {},
): Promise<void> {
  const { databaseUrl } = readLocation(context, options);
  await using storage = await openOperatorStorage({ databaseUrl, mustExist: true, mustBeWritable: true, ...opening });
  await work(storage);
}

/** How a command that changes nothing opens its database, so that it also reads one that is read-only. */
export const readsOnly = { mustBeWritable: false } as const;

/** Returns the read replicas that the settings name. */
export function readReplicas({ databaseReplicaUrls }: Pick<Config, "databaseReplicaUrls">) {
  return databaseReplicaUrls.map((databaseUrl) => ({ databaseUrl, setting: replicaSetting }));
}

/** Opens the database that the settings name, and migrates it to the version of the program. */
export async function openOperatorStorage(options: StorageOptions): Promise<Storage & AsyncDisposable> {
  const storage = await openStorage({ setting: databaseSetting, ...options });
  return { ...storage, [Symbol.asyncDispose]: () => storage.close() };
}

/** Returns who makes the changes of a command, for the audit trail: the user of the operating system. */
export function operatorAuthor(): ChangeAuthor {
  return { apiKey: null, operator: readUserName(), requestId: null };
}

/** A container can run as a user without a name. Its number then stands for it. */
function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid:${process.getuid?.()}`;
  }
}

/** Returns where the database is that the settings name. */
export function readLocation({ environment }: CommandContext, options: DatabaseOptions) {
  // Another option can have the name of a setting, such as the rate limit of a key.
  const { databaseUrl } = readConfig(environment, { databaseUrl: options.databaseUrl });
  return { databaseUrl, setting: databaseSetting };
}
