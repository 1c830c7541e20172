import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Account, AccountOptions } from "../row.ts";

/** Runs an operator's command of the built server on a database, and returns the JSON that it prints. */
export async function operate(
  serverBin: string,
  databaseUrl: string,
  commandLine: readonly string[],
): Promise<Record<string, unknown>> {
  return JSON.parse(await runCommand(serverBin, databaseUrl, [...commandLine, "--json"]));
}

/** Runs an operator's command of the built server on a database, and returns what it prints. */
export async function runCommand(
  serverBin: string,
  databaseUrl: string,
  commandLine: readonly string[],
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [serverBin, ...commandLine], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    maxBuffer: maxPrintedBytes,
  });
  return stdout;
}

/** The trail of 100,000 changes. */
const maxPrintedBytes = 64e6;

/** Creates an account with a key. */
export async function createAccount(
  serverBin: string,
  databaseUrl: string,
  { websiteLimit, scopes }: AccountOptions,
): Promise<Account> {
  const limit = websiteLimit === undefined ? [] : ["--website-limit", String(websiteLimit)];
  const who = ["--name", "Test", "--email", "test@example.com"];
  const account = await operate(serverBin, databaseUrl, ["accounts", "create", ...who, ...limit]);
  const chosen = scopes === undefined ? [] : ["--scopes", scopes];
  const owner = ["--account", String(account["id"]), "--name", "test"];
  const key = await operate(serverBin, databaseUrl, ["keys", "create", ...owner, ...chosen]);
  return { id: Number(account["id"]), apiKey: String(key["key"]) };
}
