import { AccountRows, type NewApiKey } from "@siteward/testing/engines/account-rows";
import { createDatabase } from "@siteward/testing/engines/create-database";
import { type Account, operate } from "@siteward/testing/servers/operate";
import { startServer, type TargetServer } from "@siteward/testing/servers/start-server";

/** The built server with its own database, in its own process. */
export interface BuiltServer extends TargetServer {
  readonly databaseUrl: string;
  /** Creates an account and a key, while the server runs. */
  readonly createAccount: (key?: NewApiKey) => Promise<Account>;
  /** Runs an operator's command and returns the JSON that it prints. */
  readonly operate: (...commandLine: string[]) => Promise<Record<string, unknown>>;
}

/** Starts the built server on an empty database of SQLite. */
export async function startBuiltServer(settings: Record<string, string> = {}): Promise<BuiltServer> {
  const { SITEWARD_WORKERS: workers = "1" } = settings;
  const database = await createDatabase("sqlite", { isMigrated: true, inMemory: true });
  const server = await startServer(database.url, { workers: Number(workers), settings });
  const rows = new AccountRows(database);
  return {
    ...server,
    databaseUrl: database.url,
    operate: (...commandLine) => operate(database.url, commandLine),
    async createAccount(key) {
      const id = rows.addAccount();
      const apiKey = rows.addApiKey(id, key);
      await rows.written();
      return { id, apiKey };
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await database[Symbol.asyncDispose]();
    },
  };
}
