import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { serverBin } from "./built-programs.ts";

/** The trail of 100,000 changes. */
const maxPrintedBytes = 64e6;

/** Runs an operator's command of the built server on a database, and returns the JSON that it prints. */
export async function operate(databaseUrl: string, commandLine: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await runOperator(databaseUrl, [...commandLine, "--json"]));
}

/** Runs an operator's command of the built server on a database, and returns what it prints. */
export async function runOperator(databaseUrl: string, commandLine: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [serverBin, ...commandLine], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    maxBuffer: maxPrintedBytes,
  });
  return stdout;
}

/** An account with a key. */
export interface Account {
  readonly id: number;
  readonly apiKey: string;
}

/** Creates an account with a key that has all scopes. */
export async function createAccount(databaseUrl: string): Promise<Account> {
  const { id } = await operate(databaseUrl, ["accounts", "create", "--name", "Test", "--email", "test@example.com"]);
  const { key } = await operate(databaseUrl, ["keys", "create", "--account", `${id}`, "--name", "test"]);
  return { id: Number(id), apiKey: String(key) };
}
