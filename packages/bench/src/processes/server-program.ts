import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

/** The file of the built server. */
export const serverBin = join(
  createRequire(import.meta.url).resolve("@siteward/server/package.json"),
  "../bin/siteward-server.js",
);

/** Runs an operator's command of the built server on a database, and returns the JSON that it prints. */
export async function operate(databaseUrl: string, commandLine: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [serverBin, ...commandLine, "--json"], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}
