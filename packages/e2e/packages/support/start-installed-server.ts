import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "@siteward/testing/servers/operate";
import { startServer } from "@siteward/testing/servers/start-server";
import { inject } from "vitest";

/** The installed server with a database of its own, and a key for it. */
export interface InstalledServer extends AsyncDisposable {
  readonly url: string;
  readonly databaseUrl: string;
  readonly apiKey: string;
  readonly createKey: () => Promise<string>;
  /** A line for each request. */
  readonly log: () => string;
}

export async function startInstalledServer(): Promise<InstalledServer> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-server-"));
  const databaseUrl = `file:${join(folder, "siteward.db")}`;
  const program = join(inject("installed"), "server/node_modules/.bin/siteward-server");
  const settings = { LOG_LEVEL: "info" };
  const server = await startServer(databaseUrl, { program, words: ["--bootstrap"], settings });
  const createKey = async () => (await createAccount(databaseUrl)).apiKey;
  return {
    url: server.url,
    databaseUrl,
    apiKey: await createKey(),
    createKey,
    log: server.log,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
