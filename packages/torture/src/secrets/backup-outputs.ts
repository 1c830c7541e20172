import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../engines/database.ts";
import type { Attack } from "../row.ts";
import type { Planted } from "./planted.ts";

/** Everything that backups and restores write. */
export interface BackupOutputs {
  /** What the commands print, also those that are refused. */
  readonly printed: Buffer;
  /** The backup and the restored database. Empty if the engine has tools of its own. */
  readonly files: Buffer;
}

/** Makes a backup of the database of a running server, restores it elsewhere, and has each command refused. */
export async function writeBackups(
  { serverBin }: Attack,
  database: Database,
  { folder, planted }: { readonly folder: string; readonly planted: Planted },
): Promise<BackupOutputs> {
  const file = join(folder, "backup.db");
  const target = join(folder, "restored.db");
  const withPassword = `postgres://siteward:${planted.text("the password of a database URL")}@127.0.0.1:1/siteward`;
  const lines: readonly (readonly [url: string, ...words: string[]])[] = [
    [database.url, "backup", file],
    [database.url, "backup", file],
    [database.url, "backup", file, "--replace", "--json"],
    [database.url, "restore", file],
    [`file:${target}`, "restore", file],
    [`file:${target}`, "restore", file, "--json"],
    [withPassword, "backup", file],
    [withPassword, "restore", file],
  ];
  const printed: string[] = [];
  for (const [url, ...words] of lines) printed.push(await print(serverBin, url, words));
  const files = await Promise.all([file, target].map((path) => readFile(path).catch(() => Buffer.alloc(0))));
  return { printed: Buffer.from(printed.join("\n")), files: Buffer.concat(files) };
}

/** Returns what a command prints on both streams, however it ends. */
function print(serverBin: string, url: string, words: readonly string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const env = { ...process.env, DATABASE_URL: url };
  execFile(process.execPath, [serverBin, ...words], { env }, (_, stdout, stderr) => resolve(`${stdout}${stderr}`));
  return promise;
}
