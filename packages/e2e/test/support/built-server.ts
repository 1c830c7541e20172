import { createDatabase } from "@siteward/testing/engines/create-database";
import { type Account, createAccount, operate } from "@siteward/testing/servers/operate";
import { startServer, type TargetServer } from "@siteward/testing/servers/start-server";

/** The built server with its own database, in its own process. */
export interface BuiltServer extends TargetServer {
  /** Creates an account and a key with the operator's commands, while the server runs. */
  readonly createAccount: () => Promise<Account>;
  /** Runs an operator's command and returns the JSON that it prints. */
  readonly operate: (...commandLine: string[]) => Promise<Record<string, unknown>>;
}

/** Starts the built server on an empty database of SQLite. */
export async function startBuiltServer(settings: Record<string, string> = {}): Promise<BuiltServer> {
  const { SITEWARD_WORKERS: workers = "1" } = settings;
  const database = await createDatabase("sqlite", { isMigrated: true, inMemory: true });
  const options = { workers: Number(workers), settings: { NODE_ENV: "test", ...settings } };
  const server = await startServer(database.url, options);
  return {
    ...server,
    operate: (...commandLine) => operate(database.url, commandLine),
    createAccount: () => createAccount(database.url),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await database[Symbol.asyncDispose]();
    },
  };
}
