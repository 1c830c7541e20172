import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const resolve = createRequire(import.meta.url).resolve;

/** The built programs. */
export const serverBin = join(resolve("@siteward/server/package.json"), "../bin/siteward-server.js");
export const cliBin = join(resolve("@siteward/cli/package.json"), "../bin/siteward.js");

/** The built server with its own database, in its own process. */
export interface BuiltServer extends AsyncDisposable {
  readonly url: string;
  readonly processId: number | undefined;
  /** Creates an account and a key with the operator's commands, while the server runs. */
  readonly createAccount: (options?: {
    websiteLimit?: number;
    scopes?: string;
  }) => Promise<{ id: number; apiKey: string }>;
  /** Runs an operator's command and returns the JSON that it prints. */
  readonly operate: (...commandLine: string[]) => Promise<Record<string, unknown>>;
  /** Asks the process to stop, and returns its exit code. */
  readonly stop: () => Promise<number | null>;
}

export async function startBuiltServer(settings: Record<string, string> = {}): Promise<BuiltServer> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
  const environment = {
    ...process.env,
    DATABASE_URL: `file:${join(folder, "siteward.db")}`,
    LOG_LEVEL: "warn",
    NODE_ENV: "test",
    // Tests send more requests than a client should.
    SITEWARD_RATE_LIMIT: "0",
    SITEWARD_FAILED_AUTH_LIMIT: "0",
    ...settings,
  };
  const operate: BuiltServer["operate"] = async (...commandLine) => {
    const { stdout } = await promisify(execFile)(process.execPath, [serverBin, ...commandLine, "--json"], {
      env: environment,
    });
    return JSON.parse(stdout);
  };
  await operate("migrate");
  const child = spawn(process.execPath, [serverBin, "start", "--port", "0"], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await readUrl(child);
  const stop = async () => {
    if (child.exitCode !== null) return child.exitCode;
    child.kill("SIGTERM");
    await once(child, "exit");
    return child.exitCode;
  };
  return {
    url,
    processId: child.pid,
    operate,
    stop,
    createAccount: async ({ websiteLimit, scopes } = {}) => {
      const limit = websiteLimit === undefined ? [] : ["--website-limit", String(websiteLimit)];
      const account = await operate("accounts", "create", "--name", "Test", "--email", "test@example.com", ...limit);
      const chosen = scopes === undefined ? [] : ["--scopes", scopes];
      const created = await operate("keys", "create", "--account", String(account["id"]), "--name", "test", ...chosen);
      return { id: Number(account["id"]), apiKey: String(created["key"]) };
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function readUrl(child: ChildProcess): Promise<string> {
  const { promise, resolve: found, reject } = Promise.withResolvers<string>();
  if (child.stdout === null) throw new Error("The server has no standard output.");
  createInterface({ input: child.stdout }).on("line", (line) => {
    const url = / is listening on (\S+)/.exec(line)?.[1];
    if (url !== undefined) found(url);
  });
  child.once("exit", (code) => reject(new Error(`The server ended with ${code} before it listened.`)));
  return promise;
}
