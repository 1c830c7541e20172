import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, type AccountOptions, createAccount, operate } from "@siteward/testing/servers/operate";
import { startServer, type TargetServer } from "@siteward/testing/servers/start-server";

/** The built server with its own database, in its own process. */
export interface BuiltServer extends Pick<TargetServer, "url" | "processId" | "stop">, AsyncDisposable {
  /** Creates an account and a key with the operator's commands, while the server runs. */
  readonly createAccount: (options?: AccountOptions) => Promise<Account>;
  /** Runs an operator's command and returns the JSON that it prints. */
  readonly operate: (...commandLine: string[]) => Promise<Record<string, unknown>>;
}

export async function startBuiltServer(settings: Record<string, string> = {}): Promise<BuiltServer> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
  const { DATABASE_URL: databaseUrl = `file:${join(folder, "siteward.db")}`, SITEWARD_WORKERS: workers = "1" } =
    settings;
  await operate(databaseUrl, ["migrate"]);
  const options = { workers: Number(workers), settings: { NODE_ENV: "test", ...settings } };
  const server = await startServer(databaseUrl, options);
  return {
    url: server.url,
    processId: server.processId,
    stop: server.stop,
    operate: (...commandLine) => operate(databaseUrl, commandLine),
    createAccount: (account = {}) => createAccount(databaseUrl, account),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
