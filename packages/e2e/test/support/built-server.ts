import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount, operate } from "@siteward/torture/operate";
import type { Account, AccountOptions } from "@siteward/torture/row";
import { startServer, type TargetServer } from "@siteward/torture/target-server";

const resolve = createRequire(import.meta.url).resolve;

/** The built programs. */
export const serverBin = join(resolve("@siteward/server/package.json"), "../bin/siteward-server.js");
export const cliBin = join(resolve("@siteward/cli/package.json"), "../bin/siteward.js");

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
  await operate(serverBin, databaseUrl, ["migrate"]);
  const options = { workers: Number(workers), settings: { NODE_ENV: "test", ...settings } };
  const server = await startServer(serverBin, databaseUrl, options);
  return {
    url: server.url,
    processId: server.processId,
    stop: server.stop,
    operate: (...commandLine) => operate(serverBin, databaseUrl, commandLine),
    createAccount: (account = {}) => createAccount(serverBin, databaseUrl, account),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
